/** What the rules of a language see of a proposed plan, and what they may change in it. */

export interface PlannedFile {
  readonly file: string;
  readonly purpose: string;
}

export interface PlannedWork {
  readonly goal: string;
  /** Files that the plan writes anew, in its order. */
  readonly writes: readonly PlannedFile[];
  /** Files that it writes or changes, in its order. */
  readonly changes: readonly string[];
  /** The command that shows the goal is reached, or ''. */
  readonly proof: string;
  /** Files of the workspace, as many as are worth looking at. */
  readonly files: readonly string[];
  /** True when tests are there or planned, in whatever language. */
  readonly hasTests: boolean;
}

/** What a plan lacks, put in without asking the model again. */
export interface Completion {
  /** The file that is to be written under another name. */
  readonly renamed: { readonly from: string; readonly to: string } | null;
  /** A file to be written at the end, as a task of its own. */
  readonly added: (PlannedFile & { readonly description: string }) | null;
}

/** What files and commands are called here, whatever a model calls them. */
export interface Habit {
  /** Files to be written under another name, by the planned one. */
  readonly renamed: ReadonlyMap<string, string>;
  command(cmd: string): string;
}

export interface PlanRules {
  /** What makes the plan unusable, as one sentence for the model. */
  fault(work: PlannedWork): string | null;
  complete(work: PlannedWork): Completion;
  habit?(work: PlannedWork): Habit;
}
