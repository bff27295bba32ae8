import type { Phase, RunState } from '../../../schema/state.ts';

export function phaseOf(state: RunState): Phase {
  if (state.ended) return { name: 'ended' };
  if (state.replan) return { name: 'replanning' };
  if (!state.plan) return { name: 'planning' };
  if (state.active?.claim) return { name: 'checking' };
  if (state.pending) return { name: 'executing', index: state.pending.next };
  const { contentRequest } = state.guided;
  if (contentRequest) return { name: 'awaiting_content', file: contentRequest.file };
  return { name: 'deciding' };
}
