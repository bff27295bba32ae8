/** Rounds in which the model decides what to do. */
import { endsSubtask } from '../../schema/capability.ts';
import type { RunState } from '../../schema/state.ts';
import { replanOrFail } from '../../steps/replan.ts';
import { inRound } from '../../steps/rounds.ts';
import { type Limits, PATIENCE, type Step } from '../../steps/step.ts';
import { fallBackStep } from './leave.ts';

export function decisionStep(state: RunState, limits: Limits): Step {
  const { active } = state;
  const leave = fallBackStep(state);
  if (leave) return leave;
  if (active && active.reportedFailures > 0)
    return replanOrFail(state, lastReason(state) || 'the model said it cannot do this subtask');
  if (active && active.blocks >= PATIENCE.blocks)
    return replanOrFail(state, 'the same calls came again and again without effect');
  return inRound(state, limits, 'decision', () => ({
    do: 'ask',
    // All tools are on the wire, so none is named.
    question: { kind: 'action', open: [] },
    cause: null,
    tries: 0,
  }));
}

/** What the model itself said against the subtask. */
const lastReason = ({ active }: RunState): string =>
  active?.lastFailure ?? active?.actions.findLast(endsSubtask)?.head ?? '';
