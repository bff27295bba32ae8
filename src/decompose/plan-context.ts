import type { Installed } from '../languages/language.ts';
import type { PlanExamples } from '../languages/plan-examples.ts';
import type { Brief } from '../schema/model/brief.ts';
import type { PlannableTool } from './plan-schema.ts';

export interface PlanContext {
  readonly goal: string;
  /** How the model reads it, where it said so. */
  readonly brief?: Brief | undefined;
  /** What the plan question showed. */
  readonly examples: Pick<PlanExamples, 'fileName'>;
  /** Files of the workspace, as many as are worth looking at. */
  readonly files: readonly string[];
  /** What of the languages' programs is on this machine. */
  readonly installed: Installed;
  /** True for a file that is there already. */
  exists(path: string): boolean;
  /** The text of a file that is there, `null` where there is none. Never throws. */
  readText(path: string): string | null;
  /** True where tests that are there were run before this plan, and failed. */
  readonly testsFail?: boolean;
  /** The plan must write tests, and be proved by them. */
  readonly withTests?: boolean;
  /** Files that a plan before this one has finished. */
  readonly finishedFiles: readonly string[];
  /** Why a command would be refused, `null` when it may run. */
  commandFault(cmd: string): string | null;
  /** Programs that a command needs and that are not on this machine; `null`: nothing is known. */
  missingProgram(cmd: string): readonly string[] | null;
  /** The tools that a plan may name. */
  readonly tools: readonly PlannableTool[];
  /** The model is not asked again: a plan that can be carried out is taken as it is. */
  readonly isLastTry: boolean;
  /** Number of the first task: a replan goes on counting. */
  readonly firstTask: number;
}
