/**
 * Proposes how the run ends when no subtask is left. The verdict (`run/verify`) decides whether that may be
 * claimed.
 */

import { subtasksOf } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import { notVerified } from '../schema/state-parts/not-verified.ts';
import { dueChecks } from './gate/claim.ts';
import { proofDidNotPass } from './gate/failing.ts';
import { proofInconclusiveBecause } from './gate/inconclusive.ts';
import { isWaiting } from './gate/not-done.ts';
import { replanOrFail } from './replan.ts';

import type { Step } from './step.ts';

export function endingStep(state: RunState): Step | null {
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
      detail: `not verified: ${proof?.cmd}: ${inconclusive}`,
    };
  if (proof && state.proof && !isWaiting(state)) return replanOrFail(state, proofDidNotPass(state));
  // A fallback plan has no statement of what would show the goal.
  if (state.plan.fallback)
    return {
      do: 'finish',
      ending: 'unverified',
      detail: 'no usable plan came, so nothing proves it',
    };
  const left = subtasksOf(state.plan).filter((subtask) => subtask.status === 'unverified');
  if (left.length > 0) {
    // What failed before it kept the proof from being run.
    if (proof && state.proof === null && state.changedAt > 0 && !isWaiting(state))
      return { do: 'prove', why: '' };
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
