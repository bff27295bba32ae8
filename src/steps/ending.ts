/** How a run ends when no subtask is left. Facts decide: a passed proof outweighs everything. */
import { subtasksOf } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import { replanOrFail } from './replan.ts';

import type { Step } from './step.ts';

export function endingStep(state: RunState): Step | null {
  if (state.active || !state.plan) return null;
  const { proof } = state.plan;
  if (proof && state.proof?.passed)
    return { do: 'finish', ending: 'achieved', detail: `proof passed: ${proof.cmd}` };
  if (proof && state.proof)
    return afterProof(
      replanOrFail(state, `the proof did not pass: ${proof.cmd}: ${state.proof.text}`),
      state,
    );
  const left = subtasksOf(state.plan).filter((subtask) => subtask.status === 'unverified');
  if (left.length > 0) {
    const names = left.map((subtask) => subtask.id).join(', ');
    return { do: 'finish', ending: 'unverified', detail: `not verified: subtask ${names}` };
  }
  // Where no plan could be made nobody has said what would show the goal.
  if (state.plan.fallback)
    return {
      do: 'finish',
      ending: 'unverified',
      detail: 'no usable plan came, so nothing proves it',
    };
  return { do: 'finish', ending: 'achieved', detail: 'all subtasks completed' };
}

/** One that could not be run, or not to its end, says nothing either way. */
const afterProof = (step: Step, { proof }: RunState): Step =>
  step.do === 'finish' && proof?.red === 'unknown'
    ? { do: 'finish', ending: 'unverified', detail: `the proof could not be run: ${proof.text}` }
    : step;
