/** What a command line or a server needs to hold conversations. */

import { defined } from '../lib/defined.ts';
import { openInPlaceOf, openSession } from '../sessions/open-session.ts';
import type { SessionOptions } from '../sessions/options.ts';
import { readSession } from '../sessions/places.ts';
import type { Session } from '../sessions/session.ts';
import type { ForHost, HostEnvironment } from './host-environment.ts';
import { originBy } from './journals/origin.ts';
import { type LiveHooks, LiveWork, openLive, watchedBy } from './live/live-work.ts';
import { userResources, withOwn } from './user/user-resources.ts';

export type ChatRequest = ForHost<SessionOptions> & {
  /** What other programs of this user may do with the conversation; left out: they only watch and answer. */
  readonly hooks?: LiveHooks;
  /** A channel that already listens, and that stays open when the session is closed. */
  readonly live?: LiveWork;
};

/** The model that a session used last. */
export interface RememberedModel {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl?: string;
}

export interface ChatHost {
  open(request: ChatRequest): Promise<Session>;
  /** Opens a new session in place of an open one, which is marked as replaced and closed. */
  clear(before: Session, request: ChatRequest): Promise<Session>;
  /** For a session that is closed and reopened while others watch it. */
  watched(request: Pick<ChatRequest, 'workspace' | 'ask'> & { hooks: LiveHooks }): LiveWork;
  /** The model that a session used last; `null` if there is none, or its address is not this user's. */
  remembered(workspace: string, id: string): RememberedModel | null;
}

export function createChatHost(place: HostEnvironment): ChatHost {
  const things = userResources(place);
  const opened = async (
    { hooks, live, ...request }: ChatRequest,
    open: (options: SessionOptions) => Promise<Session>,
  ): Promise<Session> => {
    const owned = withOwn(things, request, (notice) => request.onEvent?.(notice));
    if (live !== undefined) return open(watchedBy(live, owned));
    const { livePlace: place, machine } = things;
    return openLive(owned, { ...owned, place, clock: machine.clock, hooks }, open);
  };
  return {
    open: (request) => opened(request, openSession),
    clear: async (before, request) => {
      const next = await opened(request, (options) => openInPlaceOf(before, options));
      before.putAway(next.id);
      await before.close();
      return next;
    },
    watched: ({ workspace, ask, hooks }) => {
      const reading = things.own.findOrMake();
      const originKey = reading.kind === 'ok' ? reading.key : null;
      const { livePlace: place, machine } = things;
      const at = { place, originKey, clock: machine.clock };
      return new LiveWork({ ...at, hooks, workspace, goal: null, ...defined({ ask }) });
    },
    remembered: (workspace, id) => {
      const state = readSession(things.fs, workspace, id);
      if (!state?.settings || !originBy(things.own.find()).hasOwnAddress(state)) return null;
      const { provider, model, baseUrl } = state.settings;
      return { provider, model, ...defined({ baseUrl }) };
    },
  };
}
