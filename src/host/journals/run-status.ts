import type { RunState } from '../../schema/state.ts';
import type { LockOwner } from '../engine-port.ts';

export type RunStatusKind =
  | 'running'
  | 'killed'
  | 'paused'
  | 'achieved'
  | 'answered'
  | 'unverified'
  | 'failed'
  | 'undoing'
  | 'undone';

/**
 * A run that neither ended nor paused and has no living owner was killed. Its ending no longer counts once its undo has
 * begun.
 */
export function statusOf(state: RunState, owner: LockOwner | null): RunStatusKind {
  if (state.undo !== null && !state.undo.finished) return owner?.isAlive ? 'running' : 'undoing';
  if (state.ended !== null) return state.ended.ending;
  if (owner?.isAlive) return 'running';
  return state.paused === null ? 'killed' : 'paused';
}
