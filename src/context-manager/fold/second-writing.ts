/** A file that was asked for a second time. Pure. */
import { own, withEntries } from '../../lib/own.ts';
import type { Located, RecordOf } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import type { TurnStatus } from '../../schema/turn.ts';
import type { Changes } from './changes.ts';

/** Another request would bring no more: the run goes on without it. */
const CONCLUDES: ReadonlySet<TurnStatus['kind']> = new Set<TurnStatus['kind']>([
  ...(['success', 'truncated', 'refused', 'context_overflow'] as const),
]);

/** Nobody goes on with the conversation: what is next is asked without it. */
export function secondWritten(
  state: RunState,
  { status, target = '', seq, offset, decoded }: Located<RecordOf<'turn_finished'>>,
): Changes {
  if (!CONCLUDES.has(status.kind)) return {};
  const of = own(state.files, target)?.hash ?? '';
  const isCode = status.kind === 'success' && decoded.kind !== 'invalid';
  const { guided } = state;
  const before = own(guided.secondWritings ?? {}, target);
  const wasAskedAgain = before?.of === of && before.isNoCode === true;
  const isNoCode = decoded.kind === 'invalid' && !wasAskedAgain;
  const written = {
    ...{ of, seq, offset: isCode ? offset : null },
    ...(isNoCode ? ({ isNoCode } as const) : {}),
  };
  const secondWritings = withEntries(guided.secondWritings ?? {}, [[target, written]]);
  return { lastTurn: null, guided: { ...guided, secondWritings } };
}
