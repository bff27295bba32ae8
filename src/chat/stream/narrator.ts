/**
 * The work on a message as a stream of events: the first says who works and what it may do, and exactly
 * one last one says how the message ended. What opened the conversation, where that is told as well,
 * stands behind the first.
 */
import { VERSION } from '../../lib/version.ts';
import { DEFAULT_PROFILE } from '../../llm/failover/candidate.ts';
import { inOrder } from '../../run/stream/in-order.ts';
import { permissionsBody } from '../../run/stream/narrator.ts';
import type { ResultBody } from '../../run/stream/result-body.ts';
import type { SessionEvent } from '../../schema/chat-events.ts';
import type { ChatState } from '../../schema/chat-state.ts';
import type { PermissionsSaid } from '../../schema/events.ts';
import type { StreamBodyOf, StreamEvent } from '../../schema/stream.ts';
import { saidInSession } from './bodies.ts';

export interface SessionNarrator {
  tell(event: SessionEvent): void;
  /** The end. Nothing is told behind it. */
  end(result: ResultBody): void;
}

export interface SessionPlace {
  readonly workspace: string;
  /** Where it is known before anything is told. */
  readonly session?: string;
  /** Milliseconds. */
  monotonic(): number;
}

/** @param write is given each event in its order */
export function narrateSession(
  { workspace, monotonic, session }: SessionPlace,
  write: (event: StreamEvent) => void,
): SessionNarrator {
  let state: ChatState | null = null;
  let isResumed = true;
  let permissions: PermissionsSaid | null = null;
  const began = new Map<string, number>();
  const order = inOrder(
    () => ({ session: state?.session ?? session ?? null }),
    () => ({
      ...{ type: 'started', version: VERSION, goal: null, workspace },
      ...{ number: state?.number ?? null, name: state?.name ?? null, resumed: isResumed },
      ...{ model: modelOf(state), permissions: permissionsBody(permissions) },
    }),
    write,
  );
  const tookMs = (id: string): number | undefined => {
    const from = began.get(id);
    began.delete(id);
    return from === undefined ? undefined : Math.round(monotonic() - from);
  };
  return {
    tell: (event) => {
      if (order.isOver) return;
      const { counters, conversation = [] } = state ?? {};
      const before = { turn: (counters?.turns ?? 0) + 1, messages: conversation.length, tookMs };
      if ('state' in event) state = event.state;
      if (event.type === 'begun') isResumed = event.isResumed;
      if (event.type === 'permissions') permissions = event;
      if (event.type === 'action_started') began.set(event.id, monotonic());
      order.say(saidInSession(event, before));
      if (event.type === 'begun') order.begin();
    },
    end: (result) => order.end(result, state !== null),
  };
}

function modelOf(state: ChatState | null): StreamBodyOf<'started'>['model'] {
  const settings = state?.settings ?? null;
  if (settings === null) return null;
  const { provider, model, profile = DEFAULT_PROFILE, numCtx, callsTools } = settings;
  const toolMode = callsTools ? 'native' : 'json';
  return { provider, model, profile, toolMode, contextWindow: numCtx };
}
