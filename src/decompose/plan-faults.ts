/** Finds faults in a proposed plan, each as one sentence for the model. Pure. */

import { posix } from 'node:path';
import { isTestPath, languageOf, runsAsCode } from '../languages/languages.ts';
import { runsKnownTests, runsTests, testRunOf } from '../languages/testing/test-runs.ts';
import { isCommand, isReadOrListing, isWholeWrite, isWrite } from '../schema/capability.ts';
import { subtasksOf } from '../schema/plan.ts';
import { isToStay, isUsersTest } from './must-stay.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan, ProposedSubtask } from './plan-schema.ts';
import { namedAndMissing, normalPath } from './planned-work.ts';
import { proofFault } from './proof-faults.ts';

/** A fault that makes the plan impossible or forbidden. */
export function unusable(proposed: ProposedPlan, context: PlanContext): string | null {
  const subtasks = subtasksOf(proposed);
  if (subtasks.length === 0) return 'The plan has no subtask that writes a file or runs a command.';
  for (const subtask of subtasks) {
    const fault = subtaskFault(subtask, context);
    if (fault !== null) return fault;
  }
  return nothingNewFault(subtasks, context);
}

/** A fault for which the model is asked once more; after that the plan is accepted as it is. */
export const doubtAbout = (proposed: ProposedPlan, context: PlanContext): string | null =>
  onlyReads(proposed, context) ??
  usersTestsFault(proposed, context) ??
  missingProgram(proposed, context) ??
  lacksTests(proposed, context) ??
  notByTests(proposed, context) ??
  proofFault(proposed, context) ??
  leftOut(proposed, context);

/** Not a fault if the plan runs commands, because one of them may create the file. */
function leftOut(proposed: ProposedPlan, context: PlanContext): string | null {
  const subtasks = subtasksOf(proposed);
  const made = subtasks.filter(isWrite).map(({ target }) => normalPath(target));
  const [missing] = subtasks.some(isCommand) ? [] : namedAndMissing(made, context);
  return missing === undefined || subtasks.every(isReadOrListing)
    ? null
    : `No subtask writes ${missing}, which the goal names: keep the others and add it.`;
}

/** Small models plan to look at a program's input and forget the program. */
function onlyReads(proposed: ProposedPlan, { brief, saidSentence }: PlanContext): string | null {
  return brief?.kind === 'work' && !saidSentence && subtasksOf(proposed).every(isReadOrListing)
    ? 'The plan only looks. The goal asks for work: plan the step that does it.'
    : null;
}

/** If tests fail, the work is on the code that they test. */
function usersTestsFault(proposed: ProposedPlan, context: PlanContext): string | null {
  if (!context.testsFail) return null;
  const test = subtasksOf(proposed).find((one) => isWrite(one) && isUsersTest(one.target, context));
  return test === undefined
    ? null
    : `${test.target} was there and says what is right: plan the work on what it tests.`;
}

function missingProgram(proposed: ProposedPlan, context: PlanContext): string | null {
  const commands = subtasksOf(proposed).filter(isCommand);
  const missing = commands.flatMap(({ target }) => context.missingProgram(target) ?? []);
  return missing.length === 0 ? null : `${missing.join(', ')} is not installed here.`;
}

/** A fault of a replan that only rewrites finished files. */
function nothingNewFault(
  subtasks: readonly ProposedSubtask[],
  { finishedFiles }: PlanContext,
): string | null {
  const isOld = (subtask: ProposedSubtask) =>
    isWholeWrite(subtask) && finishedFiles.includes(subtask.target);
  return subtasks.every(isOld)
    ? `${finishedFiles.join(', ')} are written already: plan only what is still missing.`
    : null;
}

/** Tests are due if the brief says that the goal asks for them, or if the proof runs them. */
function lacksTests(proposed: ProposedPlan, context: PlanContext) {
  const { brief, files, installed, withTests } = context;
  const code = codeIn(proposed);
  const targets = subtasksOf(proposed).map(({ target }) => target);
  const hasTests = withTests
    ? makesTests(proposed, context)
    : [...targets, ...files].some(isTestPath);
  const areWanted =
    withTests || brief?.tests !== undefined || runsKnownTests(proposed.verify?.cmd ?? '');
  if (!areWanted || code === undefined || hasTests) return null;
  const { name, ext } = posix.parse(code);
  const test = languageOf(code).runs?.planWords?.(installed)?.test(name) ?? `test_${name}${ext}`;
  return `No subtask writes the tests: keep the others and add ${test}.`;
}

/** Existing tests stay unchanged, so the plan must create others beside them. */
const makesTests = (proposed: ProposedPlan, { exists }: PlanContext): boolean =>
  subtasksOf(proposed).some((one) => isNewTest(one, exists));

const isNewTest = (one: ProposedSubtask, exists: PlanContext['exists']): boolean =>
  isWrite(one) && isTestPath(normalPath(one.target)) && !exists(one.target);

/** If tests were requested, they must be the proof. */
function notByTests(proposed: ProposedPlan, { withTests, installed, files }: PlanContext) {
  const { cmd = '' } = proposed.verify ?? {};
  if (!withTests || codeIn(proposed) === undefined || runsTests(cmd)) return null;
  const run = testRunOf([...subtasksOf(proposed).map(({ target }) => target), ...files], installed);
  return `verify.cmd: it must run the tests.${run === null ? '' : ` Use ${run.cmd}.`}`;
}

const codeIn = (proposed: ProposedPlan): string | undefined =>
  subtasksOf(proposed)
    .filter(isWrite)
    .map(({ target }) => normalPath(target))
    .find((file) => runsAsCode(file) && !isTestPath(file));

function subtaskFault(subtask: ProposedSubtask, context: PlanContext): string | null {
  if (isCommand(subtask)) return context.commandFault(subtask.target);
  const file = subtask.target.replaceAll('\\', '/');
  if (file.startsWith('/') || /^[a-z]:/i.test(file) || file.split('/').includes('..'))
    return `${file}: name files relative to the folder, as in "${context.examples.fileName}".`;
  if (isWholeWrite(subtask) && file.endsWith('/'))
    return `${file} is a folder: name the files in it.`;
  return isWrite(subtask) && isToStay(file, context)
    ? `${file} must stay as it is: the goal says so.`
    : null;
}
