/** Folds which MCP servers run, according to the journal. */
import type { RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';

type Started = RecordOf<'server_started'>;
type Ended = RecordOf<'server_ended'>;

export function foldServer<State extends Pick<RunState, 'servers'>>(
  state: State,
  record: Started | Ended,
): State {
  const { [record.server]: _before, ...others } = state.servers ?? {};
  if (record.type === 'server_ended') return { ...state, servers: others };
  const { pid, startTime, place } = record;
  return { ...state, servers: { ...others, [record.server]: { pid, startTime, place } } };
}
