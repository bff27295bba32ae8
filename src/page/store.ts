/**
 * What the page shows, as signals.
 *
 * 1. Everything comes from the server's streams; what is pressed changes nothing here by itself.
 * 2. Events of one picture are folded in one step.
 */
import { type Signal, signal } from '@preact/signals';
import type { StreamEvent } from '../schema/events/stream.ts';
import type { Question, RunDetail, RunSummary } from '../server/api/run-schemas.ts';
import type { Me, Workspace } from '../server/api/schemas.ts';
import type { SessionSummary } from '../server/api/session-schemas.ts';
import type { ReadFrame } from '../server/client/frames.ts';
import { fold } from './fold/events.ts';
import { NOTHING, type Work } from './fold/work.ts';
import { type Api, createApi, Refused } from './wire/api.ts';
import type { Doors } from './wire/doors.ts';
import { follow } from './wire/follow.ts';

export interface OpenQuestion {
  readonly run: string;
  readonly question: Question;
}

/** `out`: there is no token, or it is not good any more. */
export type Link = 'joining' | 'live' | 'lost' | 'out';

/** Why there is no token. */
export type OutBy = 'no_link' | 'used_link' | 'ended';

export interface Followed {
  readonly kind: 'run' | 'talk';
  readonly id: string;
  readonly work: Signal<Work>;
  /** As the server knows it, before the journal is read. */
  readonly detail: Signal<RunDetail | null>;
  /** True once all that was there has come. */
  readonly isRead: Signal<boolean>;
  readonly problem: Signal<string>;
  /** True where the server knows nothing of that name. */
  readonly isUnknown: Signal<boolean>;
  /** Asks the server for the short answer again. */
  reload(): void;
}

export interface Store {
  readonly api: Api;
  readonly doors: Doors;
  readonly link: Signal<Link>;
  readonly outBy: Signal<OutBy>;
  readonly me: Signal<Me | null>;
  readonly runs: Signal<readonly RunSummary[]>;
  readonly talks: Signal<readonly SessionSummary[]>;
  readonly folders: Signal<readonly Workspace[]>;
  readonly questions: Signal<readonly OpenQuestion[]>;
  readonly followed: Signal<Followed | null>;
  /** What a screen reader is told. */
  readonly said: Signal<string>;
  /** What was typed and not sent yet, by where: no way to another view loses it. */
  readonly drafts: Map<string, string>;
  /** True where the page is a file: nothing can be asked, and nothing changes. */
  readonly isSaved: boolean;
  /** Whether the link of this page allows it. */
  may(right: 'work' | 'answer'): boolean;
  start(key: string | null): Promise<void>;
  follow(kind: Followed['kind'], id: string): void;
  leave(): void;
  /** '' where it was taken; else what to tell. */
  send(path: string, body: object): Promise<string>;
}

export function createStore(doors: Doors): Store {
  const api = createApi(doors);
  const overview = new Overview();
  const link = signal<Link>('joining');
  const outBy = signal<OutBy>('ended');
  const me = signal<Me | null>(null);
  const folders = signal<readonly Workspace[]>([]);
  const followed = signal<Followed | null>(null);
  let ends = new AbortController();
  const leave = (): void => {
    ends.abort();
    followed.value = null;
  };
  return {
    ...{ api, doors, link, outBy, me, folders, followed, said: signal(''), isSaved: false },
    drafts: new Map(),
    ...{ runs: overview.runs, talks: overview.talks, questions: overview.questions },
    may: (right) => me.value?.rights.includes(right) ?? true,
    start: async (key) => {
      if (key !== null) await api.exchange(key);
      if (!api.hasToken) {
        outBy.value = key === null ? 'no_link' : 'used_link';
        link.value = 'out';
        return;
      }
      followOverview(overview, link, api, doors);
      try {
        me.value = await api.get<Me>('/api/me');
        folders.value = (await api.get<{ workspaces: Workspace[] }>('/api/workspaces')).workspaces;
      } catch {
        // The stream says what is wrong, and comes back.
      }
    },
    follow: (kind, id) => {
      leave();
      ends = new AbortController();
      followed.value = followWork({ kind, id, api, doors, signal: ends.signal });
    },
    leave,
    send: async (path, body) => {
      try {
        await api.post(path, body);
        return '';
      } catch (error) {
        return wordsOf(error);
      }
    },
  };
}

/** As long as the page is open. */
function followOverview(overview: Overview, link: Signal<Link>, api: Api, doors: Doors): void {
  const become = (how: 'opened' | 'lost' | 'ended' | 'refused'): void => {
    if (how === 'opened') overview.reset();
    link.value = how === 'opened' ? 'live' : how === 'refused' ? 'out' : 'lost';
    if (how === 'refused') api.forget();
  };
  const hear = (frame: ReadFrame): void => overview.hear(frame, doors);
  void follow({ path: '/api/events', hear, become }, api, doors, new AbortController().signal);
}

export const wordsOf = (error: unknown): string =>
  error instanceof Refused
    ? [error.problem.detail, error.problem.hint].filter(Boolean).join(' ')
    : String(error);

/** Runs, conversations and questions of all folders, from one stream. */
class Overview {
  readonly runs = signal<readonly RunSummary[]>([]);
  readonly talks = signal<readonly SessionSummary[]>([]);
  readonly questions = signal<readonly OpenQuestion[]>([]);
  #runs = new Map<string, RunSummary>();
  #talks = new Map<string, SessionSummary>();
  #questions = new Map<string, OpenQuestion>();
  #isWaiting = false;

  /** All comes anew; what is shown stays until it is there. */
  reset(): void {
    this.#runs = new Map();
    this.#talks = new Map();
    this.#questions = new Map();
  }

  hear({ event, data }: ReadFrame, doors: Doors): void {
    const said = JSON.parse(data);
    if (event === 'run') this.#runs.set(said.id, said);
    else if (event === 'session') this.#talks.set(said.id, said);
    else if (event === 'question') this.#questions.set(said.question.id, said);
    else if (event === 'settled') this.#questions.delete(said.id);
    else if (event === 'gone') this.#forget(said.id);
    else return;
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    doors.soon(() => this.#show());
  }

  #forget(id: string): void {
    this.#runs.delete(id);
    this.#talks.delete(id);
  }

  #show(): void {
    this.#isWaiting = false;
    this.runs.value = [...this.#runs.values()].toSorted((a, b) => b.lastAt - a.lastAt);
    this.talks.value = [...this.#talks.values()].toSorted((a, b) => b.lastAt - a.lastAt);
    this.questions.value = [...this.#questions.values()];
  }
}

interface Following {
  readonly kind: Followed['kind'];
  readonly id: string;
  readonly api: Api;
  readonly doors: Doors;
  readonly signal: AbortSignal;
}

function followWork({ kind, id, api, doors, signal: ends }: Following): Followed {
  const base = kind === 'run' ? `/api/runs/${id}` : `/api/sessions/${id}`;
  const followed: Followed = {
    ...{ kind, id, work: signal({ ...NOTHING, run: id }), detail: signal(null) },
    ...{ isRead: signal(false), problem: signal(''), isUnknown: signal(false) },
    reload: () => {
      if (kind === 'talk') return;
      api.get<RunDetail>(base).then(
        (detail) => {
          followed.problem.value = '';
          followed.isUnknown.value = false;
          followed.detail.value = detail;
        },
        (error) => {
          followed.isUnknown.value = error instanceof Refused && error.problem.status === 404;
          followed.problem.value = followed.isUnknown.value ? '' : wordsOf(error);
        },
      );
    },
  };
  let waiting: StreamEvent[] = [];
  const show = (): void => {
    const events = waiting;
    waiting = [];
    if (ends.aborted) return;
    followed.work.value = fold(followed.work.value, events);
    const { detail, work } = followed;
    if (work.value.seq >= (detail.value?.seq ?? 0)) followed.isRead.value = true;
  };
  const hear = ({ event, data }: ReadFrame): void => {
    if (event === 'reset') {
      waiting = [];
      followed.work.value = { ...NOTHING, run: id };
    }
    if (NOT_OURS.has(event)) return;
    if (waiting.length === 0) doors.soon(show);
    waiting.push(JSON.parse(data) as StreamEvent);
  };
  const stream = kind === 'run' ? 'events?' : 'stream?observe=1&';
  const path = `${base}/${stream}records=1&names=tardigrade`;
  const become = (how: string): void => {
    if (how === 'refused') followed.isUnknown.value = true;
  };
  void follow({ path, hear, become }, api, doors, ends);
  return followed;
}

/** Of the stream, and no events of the run: the overview has them too. */
const NOT_OURS = new Set(['question', 'settled', 'standing', 'trace', 'reset', 'bye']);
