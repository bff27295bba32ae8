/**
 * A run, or the work on one message of a conversation, as a stream of events: the first says who works, on
 * what and what it may do, and exactly one last one says how it ended. What opened a run or a conversation,
 * where that is told as well, stands behind the first.
 */
import { driverOf } from '../../drivers/driver-of.ts';
import { VERSION } from '../../lib/version.ts';
import { DEFAULT_PROFILE } from '../../llm/failover/candidate.ts';
import type { ChatState } from '../../schema/chat-state.ts';
import type { AnyEvent, PermissionsSaid } from '../../schema/events.ts';
import type { RunState } from '../../schema/state.ts';
import type { StreamBodyOf, StreamEvent } from '../../schema/stream.ts';
import { type Before, saidBy } from './bodies.ts';
import { inEnvelope, inOrder } from './in-order.ts';
import type { ResultBody } from './result-body.ts';

export interface Narrator {
  tell(event: AnyEvent): void;
  /** The end. Nothing is told behind it. @param state where there is one that no event brought */
  end(result: ResultBody, state?: AnyState): void;
}

type AnyState = RunState | ChatState;

export interface Narrated {
  readonly workspace: string;
  /** What was asked for, until the state of a run says it. */
  readonly goal?: string | null;
  /** The run or the conversation, where it is known before anything is told. */
  readonly run?: string;
}

/** @param write is given each event in its order */
export function createNarrator(
  { workspace, goal = null, run }: Narrated,
  write: (event: StreamEvent) => void,
): Narrator {
  let state: AnyState | null = null;
  let isResumed = true;
  let number: number | null = null;
  let permissions: PermissionsSaid | null = null;
  const order = inOrder(
    () => (state === null ? (run ?? null) : idOf(state)),
    () => ({
      ...{ type: 'started', version: VERSION, goal, workspace, number, resumed: isResumed },
      ...{ driver: null, model: null, ...(state === null ? {} : aboutWork(state)) },
      permissions: permissionsBody(permissions),
    }),
    write,
  );
  return {
    tell: (event) => {
      if (order.isOver) return;
      const before = beforeIn(state);
      if ('state' in event) state = event.state;
      if (event.type === 'record' && OPENING.has(event.record.type)) isResumed = false;
      if (event.type === 'begun') number = event.number;
      if (event.type === 'permissions') permissions = event;
      order.say(saidBy(event, before));
      if (event.type === 'begun') order.begin();
    },
    end: (result, last) => {
      if (order.isOver) return;
      state = last ?? state;
      // A call that was refused before anything was opened has nothing to name.
      order.end(result, state !== null);
    },
  };
}

type Recorded = Extract<AnyEvent, { type: 'record' }>;

/** What the records of a journal tell, from its first one on, as the events told when they were written. */
export function* narrateRecords(records: Iterable<Recorded>): Generator<StreamEvent> {
  let before: AnyState | null = null;
  for (const event of records) {
    for (const said of saidBy(event, beforeIn(before))) yield inEnvelope(said, idOf(event.state));
    before = event.state;
  }
}

const beforeIn = (state: AnyState | null): Before => ({
  turn: (state?.counters.turns ?? 0) + 1,
  messages: state?.conversation.length ?? null,
});

const OPENING: ReadonlySet<string> = new Set(['run_opened', 'session_opened']);

const idOf = (state: AnyState): string => ('session' in state ? state.session : state.run);

type Started = StreamBodyOf<'started'>;

/** Who works, and on what. A conversation has a name where a run has its goal. */
function aboutWork(state: AnyState): Pick<Started, 'goal' | 'name' | 'driver' | 'model'> {
  if ('session' in state) {
    const { name, settings } = state;
    const toolMode = settings?.callsTools ? 'native' : 'json';
    return { goal: null, name, driver: 'chat', model: modelBody(settings, toolMode) };
  }
  const { goal, settings } = state;
  const { mode } = driverOf(settings);
  return { goal, driver: settings?.driver ?? null, model: modelBody(settings, mode) };
}

function modelBody(settings: AnyState['settings'], toolMode: 'native' | 'json'): Started['model'] {
  if (settings === null) return null;
  const { provider, model, profile = DEFAULT_PROFILE, numCtx } = settings;
  return { provider, model, profile, toolMode, contextWindow: numCtx };
}

function permissionsBody(said: PermissionsSaid | null): Started['permissions'] {
  if (said === null) return null;
  const { builds, allow, deny, asks, isConfined } = said;
  return { builds: [...builds], allow: [...allow], deny: [...deny], asks, isConfined };
}
