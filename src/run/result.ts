import type { ContextManager } from '../context-manager/context-manager.ts';
import type { Ending } from '../schema/records.ts';
import type { Paused, RunState } from '../schema/state.ts';

export type Outcome =
  | { readonly ending: Ending; readonly detail: string }
  | { readonly ending: 'already_finished'; readonly detail: string }
  | ({ readonly ending: 'paused' } & Paused);

/** How a call of `runGoal` ended. `answer`: the text that is the result, where the goal asks for one. */
export type RunResult = { readonly answer: string | null; readonly state: RunState } & Outcome;

export function resultOf(
  context: Pick<ContextManager, 'state' | 'textOf'>,
  outcome: Outcome,
): RunResult {
  const { state } = context;
  const answer = state.answer === null ? null : context.textOf(state.answer);
  return { ...outcome, answer, state };
}
