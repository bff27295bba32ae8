/** What makes a proposed plan unusable, as one sentence for the model. */

import { isCodePath, isDataPath, LANGUAGES, languageOf } from '../languages/languages.ts';
import type { PlannedWork } from '../languages/plan-rules.ts';
import { ordersThing } from '../probe/goal-kind.ts';
import { isCommand, isLook, isWholeWrite } from '../schema/doing.ts';
import { subtasksOf } from '../schema/plan.ts';
import { fileLeak, wordsLeak } from './example-leaks.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan, ProposedSubtask } from './plan-schema.ts';
import { plannedWork, writtenFiles } from './planned-work.ts';

/**
 * Thinking is no step. A program may do the same ("choose a card"), so the words speak only against
 * a text that nobody asked for.
 */
const ABSTRACT =
  /^(decide|think|choose|consider|determine|research|brainstorm|understand|plan the|design the)\b/i;

export const planFault = (proposed: ProposedPlan, context: PlanContext): string | null =>
  workFault(proposed, context) ?? proofFault(proposed, context);

/** The same but for its proof. */
export function workFault(proposed: ProposedPlan, context: PlanContext): string | null {
  const subtasks = subtasksOf(proposed);
  if (subtasks.length === 0)
    return `The plan has no subtask that writes a file or runs a command.${notHere(proposed)}`;
  for (const subtask of subtasks) {
    const fault = subtaskFault(subtask, context);
    if (fault !== null) return fault;
  }
  return (
    wordsLeak(proposed, context) ??
    nothingMadeFault(subtasks, context) ??
    nothingNewFault(subtasks, context) ??
    languageFault(plannedWork(proposed, context))
  );
}

/** Small models plan the look at what a program is to read, and forget the program. */
function nothingMadeFault(
  subtasks: readonly ProposedSubtask[],
  { goal, finishedFiles }: PlanContext,
): string | null {
  const isForgotten = finishedFiles.length === 0 && ordersThing(goal);
  return isForgotten && subtasks.every(isLook)
    ? 'The plan only looks. The goal asks for something to be made: plan the step that writes it.'
    : null;
}

/** A new plan that only writes once more what is written. */
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

/** What the languages miss: the parts of a package, the tests that the goal asks for. */
function languageFault(work: PlannedWork): string | null {
  for (const { plan } of LANGUAGES) {
    const fault = plan?.fault(work) ?? null;
    if (fault !== null) return fault;
  }
  return null;
}

function subtaskFault(subtask: ProposedSubtask, context: PlanContext): string | null {
  if (isCommand(subtask)) return context.commandFault(subtask.target);
  const file = subtask.target.replaceAll('\\', '/');
  const isUnasked = !isCodePath(file) && !context.goal.includes(file) && !context.exists(file);
  if (isUnasked && ABSTRACT.test(subtask.purpose))
    return `"${subtask.purpose}" is not a step: say what a file holds or what a command shows.`;
  if (file.startsWith('/') || /^[a-z]:/i.test(file) || file.split('/').includes('..'))
    return `${file}: name files relative to the folder, as in "${context.examples.fileName}".`;
  if (isWholeWrite(subtask) && file.endsWith('/'))
    return `${file} is a folder: name the files in it.`;
  return fileLeak(file, context);
}

const notHere = ({ missing = [] }: ProposedPlan): string =>
  missing.map((program) => ` ${program} is not installed here.`).join('');

/** A program that is written shows what it does, where it can be run here. */
function proofFault(proposed: ProposedPlan, context: PlanContext): string | null {
  const cmd = proposed.verify?.cmd.trim() ?? '';
  if (cmd === '') {
    const program = writtenFiles(proposed).find(
      (file) => languageOf(file).runs?.canRun(context.installed) && !isDataPath(file),
    );
    return program === undefined
      ? null
      : `verify.cmd is empty: name the command that runs ${program}.${notHere(proposed)}`;
  }
  const refused = refusalOfProof(proposed, context);
  return refused === null ? null : `verify.cmd: ${refused}`;
}

/** Why the proof that a plan names may not be run. */
export function refusalOfProof(
  { verify }: ProposedPlan,
  { commandFault }: PlanContext,
): string | null {
  const cmd = verify?.cmd.trim() ?? '';
  return cmd === '' ? null : commandFault(cmd);
}
