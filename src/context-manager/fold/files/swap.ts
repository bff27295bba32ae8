// Tracks which side of a set of changes lies in the folder. Pure.
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';

export function foldSwap(
  state: RunState,
  record: Located<RecordOf<'swap_started' | 'file_swapped' | 'swap_finished'>>,
): RunState {
  if (record.type === 'swap_started') {
    const { to, files, more, left = [], seq, offset } = record;
    const count = files.length + (more?.count ?? 0);
    const swap = { to, seq, offset, count, done: [], left, isFinished: false };
    return { ...state, swap };
  }
  const { swap } = state;
  if (swap === undefined) return state;
  if (record.type === 'swap_finished') return { ...state, swap: { ...swap, isFinished: true } };
  const { path, skipped: why } = record;
  const left = why === '' ? swap.left : [...swap.left, { path, why }];
  return { ...state, swap: { ...swap, done: [...swap.done, path], left } };
}
