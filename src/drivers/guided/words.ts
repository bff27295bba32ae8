/** What the guided driver tells the model besides its questions: few words, for a small model. */
import { shortFailure } from '../../languages/testing/short-failure.ts';
import { gatherFacts } from '../../probe/facts.ts';
import { checkFailed } from '../../prompts/remarks.ts';
import { stepText, subtaskPosition } from '../../prompts/subtask.ts';
import type { Plan, Subtask } from '../../schema/plan.ts';
import type { DriverView } from '../driver.ts';

export const SYSTEM_PROMPT =
  'You are a coding agent in one folder. You plan in JSON, and write whole files when asked.';

export const subtaskStarted = (
  plan: Plan,
  subtask: Subtask,
  { state, world }: DriverView,
): string =>
  [
    `Subtask ${subtaskPosition(subtask, plan)}: ${stepText(subtask)}.`,
    filesLine(gatherFacts(state, world).files_exist.names),
  ].join('\n');

/** The files that exist already. */
const filesLine = (names: readonly string[]): string =>
  `Files so far: ${names.length > 0 ? names.join(', ') : 'none'}.`;

export const failedCheck = (output: string): string => checkFailed(shortFailure(output));

/** Why a plan is given up if its file never came. */
export const noContent = (file: string): string => `no usable content came for ${file}`;
