/**
 * Turns a run, or the work on one message of a conversation, into a stream of events. The first event says who
 * works, on what, and what is allowed; exactly one last event says how it ended. Events from opening the run
 * come after the first.
 */
import { driverOf } from '../../drivers/driver-of.ts';
import { VERSION } from '../../lib/version.ts';
import { DEFAULT_PROFILE } from '../../llm/failover/candidate.ts';
import type { PermissionSummary, RunEvent } from '../../schema/events/events.ts';
import type { StreamBodyOf, StreamEvent } from '../../schema/events/stream.ts';
import type { RunState } from '../../schema/state.ts';
import { type BeforeEvent, eventsFrom } from './bodies.ts';
import { inEnvelope, inOrder } from './in-order.ts';
import type { ResultBody } from './result-body.ts';

export interface Narrator {
  emit(event: RunEvent): void;
  /** Sends the last event; none follows it. @param state the final state, if no event brought it */
  end(result: ResultBody, state?: RunState): void;
}

export interface Narrated {
  readonly workspace: string;
  /** The requested goal, until the run's state has it. */
  readonly goal?: string | null;
  /** The id of the run or conversation, if it is known in advance. */
  readonly run?: string;
}

/** @param write receives every event in order */
export function createNarrator(
  { workspace, goal = null, run }: Narrated,
  write: (event: StreamEvent) => void,
): Narrator {
  let state: RunState | null = null;
  let isResumed = true;
  let number: number | null = null;
  let permissions: PermissionSummary | null = null;
  const order = inOrder(
    () => (state === null ? (run ?? null) : state.run),
    () => ({
      type: 'started',
      version: VERSION,
      goal,
      workspace,
      number,
      resumed: isResumed,
      driver: null,
      model: null,
      ...(state === null ? {} : aboutWork(state)),
      permissions: permissionsBody(permissions),
    }),
    write,
  );
  return {
    emit: (event) => {
      if (order.isOver) return;
      const before = beforeIn(state);
      if ('state' in event) state = event.state;
      if (event.type === 'record' && event.record.type === 'run_opened') isResumed = false;
      if (event.type === 'begun') number = event.number;
      if (event.type === 'permissions') permissions = event;
      order.emit(eventsFrom(event, before));
      if (event.type === 'begun') order.begin();
    },
    end: (result, last) => {
      if (order.isOver) return;
      state = last ?? state;
      // A call that was refused before anything was opened has no run to name.
      order.end(result, state !== null);
    },
  };
}

type Recorded = Extract<RunEvent, { type: 'record' }>;

/** The events of a journal's records from the first one on, as they were sent when the records were written. */
export function* narrateRecords(records: Iterable<Recorded>): Generator<StreamEvent> {
  let before: RunState | null = null;
  for (const event of records) {
    for (const said of eventsFrom(event, beforeIn(before))) yield inEnvelope(said, event.state.run);
    before = event.state;
  }
}

const beforeIn = (state: RunState | null): BeforeEvent => ({
  turn: (state?.counters.turns ?? 0) + 1,
  messages: state?.conversation.length ?? null,
});

type Started = StreamBodyOf<'started'>;

/** Who works, and on what. A conversation has a name instead of a goal. */
function aboutWork({
  goal,
  settings,
  chat,
}: RunState): Pick<Started, 'goal' | 'name' | 'driver' | 'model'> {
  const { mode } = driverOf(settings);
  const model = modelBody(settings, mode);
  return chat === undefined
    ? { goal, driver: settings?.driver ?? null, model }
    : { goal: null, name: chat.name, driver: 'chat', model };
}

function modelBody(settings: RunState['settings'], toolMode: 'native' | 'json'): Started['model'] {
  if (settings === null) return null;
  const { provider, model, profile = DEFAULT_PROFILE, numCtx } = settings;
  return { provider, model, profile, toolMode, contextWindow: numCtx };
}

function permissionsBody(said: PermissionSummary | null): Started['permissions'] {
  if (said === null) return null;
  const { builds, allow, deny, asks, isConfined } = said;
  return { builds: [...builds], allow: [...allow], deny: [...deny], asks, isConfined };
}
