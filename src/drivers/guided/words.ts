/** What the guided driver tells the model besides its questions: few words, for a small one. */
import { gatherFacts } from '../../probe/facts.ts';
import { checkFailed } from '../../prompts/remarks.ts';
import { placeOf, stepText } from '../../prompts/subtask.ts';
import type { Plan, Subtask } from '../../schema/plan.ts';
import type { DriverView } from '../driver.ts';
import { errorTold } from './error-told.ts';

export const SYSTEM_PROMPT =
  'You are a coding agent in one folder. You plan in JSON, and write whole files when asked.';

export const subtaskStarted = (
  plan: Plan,
  subtask: Subtask,
  { state, world }: DriverView,
): string =>
  [
    `Subtask ${placeOf(subtask, plan)}: ${stepText(subtask)}.`,
    filesLine(gatherFacts(state, world).files_exist.names),
  ].join('\n');

/** What is already there. */
const filesLine = (names: readonly string[]): string =>
  `Files so far: ${names.length > 0 ? names.join(', ') : 'none'}.`;

/** Longest failed check told, in characters. */
const MAX_FAILURE = 1000;

export const failedCheck = (output: string): string => checkFailed(errorTold(output, MAX_FAILURE));

/** Why a plan is given up whose file never came. */
export const noContent = (file: string): string => `no usable content came for ${file}`;

/** Of a file that a repair gave back. */
export const UNCHANGED = 'it is the same as before, so it fails as before: something must change';

/** Of a file that a repair made what it was before. */
export const TRIED =
  'it is the same as an earlier answer, which failed: something else must change';

/** What goes with the faults of a refused content answer. */
export const writeAgain = (faults: string, isPart: boolean): string =>
  `${faults} Write ${isPart ? 'these lines' : 'the whole file'} again without this.`;
