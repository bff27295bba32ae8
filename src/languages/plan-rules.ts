/** What the rules of a language see of a proposed plan. */

export interface PlannedWork {
  readonly goal: string;
  /** The goal asks for tests, in words of its own. */
  readonly wantsTests: boolean;
  /** Files that the plan writes anew, in its order. */
  readonly writes: readonly string[];
  /** Files that it writes or changes, in its order. */
  readonly changes: readonly string[];
  /** The command that shows the goal is reached, or ''. */
  readonly proof: string;
  /** Files of the workspace, as many as are worth looking at. */
  readonly files: readonly string[];
  /** True when tests are there or planned, in whatever language. */
  readonly hasTests: boolean;
}

export interface PlanRules {
  /** What it lacks, as one sentence for the model. */
  fault(work: PlannedWork): string | null;
}
