/** Pure: when a guided subtask is done: visible facts decide, and nobody is asked. */
import { isCommand, isReadOrListing, isWrite } from '../../schema/capability.ts';
import { type Subtask, subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { completionGate } from '../../steps/gate/gate.ts';
import { replanOrFail } from '../../steps/replan.ts';
import { openRound } from '../../steps/rounds.ts';
import { isFinding, isPending, lastCommand, ownFile } from '../../steps/select.ts';
import { type Limits, PATIENCE, type Step } from '../../steps/step.ts';
import { answerAction, completeCall } from './calls.ts';
import { choose, isAnswered } from './choose.ts';

/** `null` while something is missing: the model decides what comes next. */
export function doneStep(state: RunState, subtask: Subtask, limits: Limits): Step | null {
  if (!completionGate(state).allows) return null;
  if (state.active?.claim) return afterFailedCheck(state, subtask, limits);
  if (hasCutShort(state)) return null;
  if (bringsAnswer(state, subtask))
    return choose(state, limits, 'completion_question', [answerAction(state)]);
  return hasDoneItsPart(state, subtask)
    ? openRound(state, limits, 'planned', [completeCall(state)])
    : null;
}

/** Statuses of a call that may have had its effect, in part or not at all. */
const CUT_SHORT: ReadonlySet<string> = new Set(['interrupted', 'cancelled', 'not_run']);

/** True while an interrupted call of the subtask has not run to its end again: no other call shows its effect. */
const hasCutShort = ({ active }: RunState): boolean =>
  active?.actions.some(
    ({ status, target }, at) =>
      CUT_SHORT.has(status) &&
      !active.actions.slice(at + 1).some((one) => one.target === target && one.status === 'ok'),
  ) === true;

/**
 * Only a subtask that looks at something can end with a text as its result; if something must still be made after it,
 * the text does not answer the goal yet.
 */
const bringsAnswer = (state: RunState, { step }: Subtask): boolean =>
  step !== undefined &&
  ((isReadOrListing(step) && (state.wants === 'answer' || isOnlyLooked(state))) ||
    (isCommand(step) && isFinding(state, lastCommand(state))));

const isOnlyLooked = ({ plan }: RunState): boolean =>
  plan !== null &&
  subtasksOf(plan)
    .filter(isPending)
    .every(({ step }) => step === undefined || isReadOrListing(step));

/**
 * Without a step it is the action that the model chose. A look alone is not work, and if an answer is wanted,
 * only the answer counts.
 */
const hasDoneItsPart = (state: RunState, subtask: Subtask): boolean =>
  subtask.step !== undefined || (!isAnswered(state, subtask) && hasActed(state));

const hasActed = ({ active }: RunState): boolean =>
  active?.actions.some((one) => (isWrite(one) || isCommand(one)) && one.status === 'ok') === true;

/** A check of a file failed and was reported: its content is requested once more. */
const afterFailedCheck = (state: RunState, subtask: Subtask, limits: Limits): Step =>
  ownFile(subtask) !== undefined && (state.active?.checkFailures ?? 0) < PATIENCE.checkFailures
    ? openRound(state, limits, 'planned')
    : replanOrFail(state, state.active?.claim?.checks.find(({ passed }) => !passed)?.text ?? '');
