/** Carries out the plan without asking; the model decides where there is a choice. */
import { isCommand, isReadOrListing, isWrite } from '../../schema/capability.ts';
import { type Subtask, subtasksOf } from '../../schema/plan.ts';
import type { RoundOrigin } from '../../schema/records.ts';
import type { ActiveSubtask, RunState } from '../../schema/state.ts';
import { completionGate, missingEvidence } from '../../steps/gate/gate.ts';
import { inconclusiveBecause } from '../../steps/gate/inconclusive.ts';
import { replanOrFail } from '../../steps/replan.ts';
import { openRound } from '../../steps/rounds.ts';
import {
  activeSubtask,
  dueProof,
  hasEndedWell,
  isFinding,
  isPending,
  lastCommand,
  subtaskCommand,
  subtaskFile,
} from '../../steps/select.ts';
import { type Limits, PATIENCE, type PlannedCall, type Step } from '../../steps/step.ts';
import type { DriverView } from '../driver.ts';
import { answerAction, completeCall, fileReadCall, plannedId } from './calls.ts';
import { choose, inputAction, isAnswered, openActions } from './choose.ts';
import { failureReason, failureStep } from './repair.ts';
import { lastAction } from './select.ts';
import { triedStep } from './tried.ts';
import { noContent } from './words.ts';

export function plannedStep(state: RunState, limits: Limits): Step {
  const { active } = state;
  const subtask = activeSubtask(state);
  if (!active || !subtask) throw new Error('A plan is carried out subtask by subtask.');
  return (
    triedStep(state, subtask, limits) ??
    givenUpStep(state, active, subtask) ??
    firstStep(state, active, subtask, limits) ??
    unwrittenFile(state, subtask, limits) ??
    unverifiableStep(state, active, limits) ??
    (isFinding(state, lastCommand(state)) ? null : failureStep(state, limits)) ??
    inconclusiveStep(state, subtask) ??
    inputStep(state, subtask, limits) ??
    doneStep(state, subtask, limits) ??
    decide(state, limits)
  );
}

/** Gives up: on the model, on its calls, or on a file that never came. */
function givenUpStep(state: RunState, active: ActiveSubtask, { purpose }: Subtask): Step | null {
  if (active.reportedFailures > 1)
    return replanOrFail(state, `the model could not do it: ${purpose}`);
  if (active.blocks >= PATIENCE.blocks)
    return replanOrFail(state, withFailure(state, 'the same calls came again without effect'));
  const { contentRequest } = state.guided;
  return contentRequest ? replanOrFail(state, noContent(contentRequest.file)) : null;
}

/** The plan's own step, once. */
function firstStep(
  state: RunState,
  { id, actions }: ActiveSubtask,
  subtask: Subtask,
  limits: Limits,
): Step | null {
  if (actions.length > 0 || state.round?.subtask === id) return null;
  return subtask.step === undefined
    ? decide(state, limits)
    : openRound(state, limits, 'planned', plannedCalls(subtask, state));
}

/** The model itself judges what it doubts, or what nobody knows: the engine never runs such a call again. */
const unverifiableStep = (state: RunState, active: ActiveSubtask, limits: Limits): Step | null =>
  UNKNOWN_OUTCOMES.has(lastAction(state)?.status ?? '') || active.reportedFailures > 0
    ? decide(state, limits)
    : null;

/** The latest failure tells a planner more than the fact that patience ended. */
const withFailure = (state: RunState, why: string): string => {
  const command = lastCommand(state);
  return command && !hasEndedWell(command) ? failureReason(state, command) : why;
};

/** Statuses of a call that did not run to its end. */
const UNKNOWN_OUTCOMES = new Set(['interrupted', 'cancelled', 'denied', 'not_run']);

/** The subtask's file was only read so far: now its content is requested. */
function unwrittenFile(state: RunState, subtask: Subtask, limits: Limits): Step | null {
  const file = subtaskFile(subtask);
  const actions = state.active?.actions.filter((action) => action.target === file) ?? [];
  if (file === undefined || actions.some((action) => isWrite(action) && action.status === 'ok'))
    return null;
  return actions.length > PATIENCE.invalidReplies
    ? replanOrFail(state, `${file} could not be written: ${actions.at(-1)?.head}`)
    : openRound(state, limits, 'planned');
}

const decide = (state: RunState, limits: Limits): Step =>
  choose(state, limits, 'action_question', openActions(state));

/**
 * The step if a subtask's command failed in a way that says nothing: the subtask is neither done nor
 * repairable.
 */
function inconclusiveStep(state: RunState, subtask: Subtask): Step | null {
  const command = lastCommand(state);
  if (!command || hasEndedWell(command) || subtaskCommand(subtask) === undefined) return null;
  const summary = inconclusiveBecause(state, command);
  if (summary === null) return null;
  return { do: 'finish_subtask', id: subtask.id, status: 'unverified', summary, answer: null };
}

/** The calls that a plan names already; a file's content is requested, so it has none. */
function plannedCalls({ step }: Subtask, state: RunState): readonly PlannedCall[] {
  return step?.args ? [{ id: plannedId(state), name: step.action, args: step.args }] : [];
}

/**
 * A program that asks its user is run once with input from the model before the subtask counts as done: the proof's
 * input is chosen then, because the code exists now.
 */
function inputStep(state: RunState, subtask: Subtask, limits: Limits): Step | null {
  const proof = dueProof(state);
  const file = subtaskFile(subtask);
  if (!proof || !file || !proof.cmd.includes(file)) return null;
  const asks = (state.files[file]?.prompts.length ?? 0) > 0;
  const wasRun = state.active?.actions.some(isCommand);
  if (!asks || wasRun || missingEvidence(state, subtask) !== null) return null;
  return choose(state, limits, 'input_question', [inputAction(state, proof.cmd)]);
}

/** A planned file that exists and was never looked at is read before it is written. */
export function openingCalls(
  origin: RoundOrigin,
  { state, world }: Pick<DriverView, 'state' | 'world'>,
): readonly PlannedCall[] {
  const subtask = activeSubtask(state);
  const file = subtask && subtaskFile(subtask);
  const isUnseen = file !== undefined && state.files[file] === undefined && world.exists(file);
  if (origin !== 'planned' || !isUnseen) return [];
  return [fileReadCall(state, file)];
}

/**
 * Visible facts decide when a subtask is done, and nobody is asked. `null` while something is missing: the model
 * decides what comes next.
 */
function doneStep(state: RunState, subtask: Subtask, limits: Limits): Step | null {
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
  subtaskFile(subtask) !== undefined && (state.active?.checkFailures ?? 0) < PATIENCE.checkFailures
    ? openRound(state, limits, 'planned')
    : replanOrFail(state, state.active?.claim?.checks.find(({ passed }) => !passed)?.text ?? '');
