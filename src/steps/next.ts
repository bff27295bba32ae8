/** The next step of a run: a pure function of its folded state and its driver. */
import { defined } from '../lib/defined.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import { notVerified } from '../schema/state-parts/not-verified.ts';
import { childrenStep } from './children.ts';
import type { DrivingSteps } from './driver.ts';
import { claimStep, dueChecks } from './gate/claim.ts';
import { beforeFailing, lastLookStep, proofDidNotPass } from './gate/failing.ts';
import { proofInconclusiveBecause } from './gate/inconclusive.ts';
import { isWaiting } from './gate/not-done.ts';
import { afterBackground, afterChanges, afterPerson } from './passed-on.ts';
import { planningStep } from './planning.ts';
import { replanOrFail } from './replan.ts';
import { isPending } from './select.ts';
import { type Limits, PATIENCE, type Step } from './step.ts';
import { unfinishedTurnStep } from './unfinished-turn.ts';

export function next(state: RunState, limits: Limits, driver: DrivingSteps): Step {
  const step =
    putBackStep(state, driver) ??
    lastLookStep(state) ??
    beforeFailing(workStep(state, limits, driver), state);
  return afterPerson(afterChanges(afterBackground(step, state), state), state);
}

/** Restores files before anything else is decided, because the subtask may already be over. */
function putBackStep(state: RunState, driver: DrivingSteps): Step | null {
  const { round, pending } = state;
  if (round?.origin !== 'put_back' || !pending) return null;
  if (pending.unreportedResult) return driver.outcomeStep(state);
  const call = pending.calls[pending.next];
  if (!call) return null;
  return pending.isHalted ? { do: 'skip_call', call } : { do: 'execute', call };
}

function workStep(state: RunState, limits: Limits, driver: DrivingSteps): Step {
  return (
    givenUpStep(state, driver) ??
    insistedStep(state) ??
    unfinishedTurnStep(state, driver) ??
    clearSubtaskStep(state) ??
    cutStep(state) ??
    planningStep(state, limits, driver) ??
    claimStep(state, driver) ??
    callStep(state, driver) ??
    driver.unfinishedStep(state) ??
    childrenStep(state, limits) ??
    nextSubtask(state) ??
    endingStep(state) ??
    driver.workStep(state, limits)
  );
}

/** Compacts what is left of a subtask that did not fit, before anything else is said. */
const clearSubtaskStep = (state: RunState): Step | null =>
  state.overflowRecovery.isSubtaskOver ? { do: 'compact' } : null;

/** Carries out the pending calls one by one and reports the result of each. */
function callStep(state: RunState, driver: DrivingSteps): Step | null {
  const { pending } = state;
  if (!pending) return null;
  if (pending.isPlanDue) return { do: 'adopt_call' };
  if (pending.unreportedResult) return driver.outcomeStep(state);
  const call = pending.calls[pending.next];
  if (!call) return null;
  if (pending.isHalted) return { do: 'skip_call', call };
  return (
    nextSubtask(state) ??
    (isDone(state) ? { do: 'skip_call', call } : null) ??
    driver.beforeCall(state, call) ?? { do: 'execute', call }
  );
}

/** True when no work is left that a call could belong to. */
const isDone = ({ plan, replan, active }: RunState): boolean =>
  plan !== null && replan === null && active === null;

/** The model declared that it cannot reach the goal here. */
function givenUpStep(state: RunState, driver: DrivingSteps): Step | null {
  const { givenUp, pending } = state;
  if (!givenUp) return null;
  // The run may be resumed, and by then every call must have a result.
  const call = pending?.calls[pending.next];
  if (pending?.unreportedResult) return driver.outcomeStep(state);
  if (call) return { do: 'skip_call', call };
  return {
    do: 'finish',
    ending: 'failed',
    detail: `the model gave up: ${givenUp.reason}`,
    ...defined({ needs: givenUp.needs }),
  };
}

/** Ends the run when the model only repeats refused calls: neither a new plan nor another round would help. */
function insistedStep({ loop }: RunState): Step | null {
  if ((loop.insisted ?? 0) < PATIENCE.insisted) return null;
  const [latest] = Object.values(loop.blocked).slice(-1);
  const call = [latest?.tool, latest?.target].filter(Boolean).join(' ');
  const detail = `the model made the same calls again and again without effect (${call}), and nothing else`;
  return { do: 'finish', ending: 'failed', detail };
}

/** Reports a cut answer once all its calls are reported. If no work is left, the model need not know. */
function cutStep({ cutOff, pending, plan }: RunState): Step | null {
  if (cutOff === undefined || pending) return null;
  const isOver = plan !== null && !subtasksOf(plan).some(isPending);
  return isOver ? null : { do: 'tell_cut', why: cutOff };
}

function nextSubtask(state: RunState): Step | null {
  if (state.active || !state.plan || state.replan) return null;
  const pending = subtasksOf(state.plan).find((subtask) => subtask.status === 'pending');
  return pending ? { do: 'start_subtask', id: pending.id } : null;
}

/**
 * Proposes how the run ends when no subtask is left. The verdict (`run/verify`) decides whether that may be claimed.
 */
function endingStep(state: RunState): Step | null {
  const step = proposedEnd(state);
  // An unverified ending gets no verdict, so the missing tests are mentioned here.
  return state.withTests && step?.do === 'finish' && step.ending === 'unverified'
    ? { ...step, detail: `${step.detail}; ${NO_TESTS}` }
    : step;
}

const NO_TESTS = 'tests were asked for, and none was tried with the code emptied';

function proposedEnd(state: RunState): Step | null {
  if (state.active || !state.plan) return null;
  // A child is judged together with the rest of the plan.
  if (state.child !== undefined)
    return { do: 'finish', ending: 'unverified', detail: 'it is proved in the run that began it' };
  const joint = jointStep(state);
  if (joint !== null) return joint;
  const { proof } = state.plan;
  if (proof && state.proof?.passed)
    return { do: 'finish', ending: 'achieved', detail: `proof passed: ${proof.cmd}` };
  const inconclusive = proof && state.proof ? proofInconclusiveBecause(state) : null;
  if (inconclusive !== null)
    return {
      do: 'finish',
      ending: 'unverified',
      detail: `${proof?.cmd}: ${inconclusive}`,
    };
  if (proof && state.proof && !isWaiting(state)) return replanOrFail(state, proofDidNotPass(state));
  // A fallback plan has no statement of what would show the goal.
  if (state.plan.fallback)
    return {
      do: 'finish',
      ending: 'unverified',
      detail: 'no usable plan came, so nothing proves it',
    };
  // An earlier failure kept the proof from running, or somebody changed a file after it passed.
  if (proof && state.proof === null && state.changedAt > 0 && !isWaiting(state))
    return { do: 'prove', why: '' };
  const left = subtasksOf(state.plan).filter((subtask) => subtask.status === 'unverified');
  if (left.length > 0) {
    const detail = notVerified(left.map(({ id }) => id));
    return { do: 'finish', ending: 'unverified', detail };
  }
  return { do: 'finish', ending: 'achieved', detail: 'all subtasks completed' };
}

/** If the last subtask was a child, runs the checks that its claim would have triggered. */
function jointStep(state: RunState): Step | null {
  const { joint } = state;
  if (joint === undefined) return null;
  const due = dueChecks(state);
  const failed = joint.findIndex(({ passed }, at) => !passed && due[at]?.isProof === false);
  if (failed >= 0)
    return replanOrFail(state, `what the goal says does not hold: ${joint[failed]?.text}`);
  return joint.length < due.length ? { do: 'check', index: joint.length } : null;
}
