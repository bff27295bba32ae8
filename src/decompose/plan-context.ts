import type { Installed } from '../languages/language.ts';
import type { PlanExamples } from '../languages/plan-examples.ts';
import type { Brief } from '../schema/model/brief.ts';
import type { PlannableTool } from './plan-schema.ts';

/** Files of a workspace that are worth examining. */
export const MAX_FILES = 200;

export interface PlanContext {
  readonly goal: string;
  /** The model's brief of the goal, if it gave one. */
  readonly brief?: Brief | undefined;
  /** What the plan question showed. */
  readonly examples: Pick<PlanExamples, 'fileName'>;
  /** Files of the workspace, no more than `MAX_FILES`. */
  readonly files: readonly string[];
  /** The installed programs that languages use. */
  readonly installed: Installed;
  /** True for a file that already exists. */
  exists(path: string): boolean;
  /** The text of an existing file; `null`: no such file. Never throws. */
  readText(path: string): string | null;
  /** True if existing tests ran before this plan and failed. */
  readonly testsFail?: boolean;
  /**
   * Set if the model answered the plain question with a sentence. A plan that only looks fits that, whatever
   * the brief says.
   */
  readonly saidSentence?: boolean;
  /** The plan must write tests and be proved by them. */
  readonly withTests?: boolean;
  /** The command by which the person proves the goal; it replaces the plan's own proof. */
  readonly givenProof?: string | undefined;
  /** Files that an earlier plan has finished. */
  readonly finishedFiles: readonly string[];
  /** Why a command would be refused; `null`: it may run. */
  commandFault(cmd: string): string | null;
  /** Programs that a command needs and that are missing here; `null`: unknown. */
  missingProgram(cmd: string): readonly string[] | null;
  /** The tools that a plan may name. */
  readonly tools: readonly PlannableTool[];
  /** The model is not asked again: a plan that can be carried out is accepted as it is. */
  readonly isLastTry: boolean;
  /** The number of the first task; a replan continues the count. */
  readonly firstTask: number;
}
