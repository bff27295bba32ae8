/**
 * The state of the page, as signals.
 *
 * 1. All state comes from the server's streams; pressing a button changes nothing here by itself.
 * 2. Events that arrive within one frame are folded in one step.
 */
import { type Signal, signal } from '@preact/signals';
import type { StreamEvent } from '../schema/events/stream.ts';
import type { Question, RunDetail, RunSummary } from '../server/api/run-schemas.ts';
import type { Me, Said, Workspace } from '../server/api/schemas.ts';
import type { SessionSummary } from '../server/api/session-schemas.ts';
import type { ClientEvent } from '../server/client/events-of.ts';
import { ServerProblem } from '../server/client/problem.ts';
import { foldEvents } from './fold/events.ts';
import { EMPTY_WORK, type WatchedWork } from './fold/work.ts';
import { type Api, createApi } from './wire/api.ts';
import type { Browser } from './wire/browser.ts';
import { follow } from './wire/follow.ts';

export interface RunQuestion {
  readonly run: string;
  readonly question: Question;
}

/** `out`: there is no token, or it is no longer valid. */
export type Link = 'joining' | 'live' | 'lost' | 'out';

/** Why there is no token. */
export type OutBy = 'no_link' | 'used_link' | 'ended';

export interface Followed {
  readonly kind: 'run' | 'talk';
  readonly id: string;
  readonly work: Signal<WatchedWork>;
  /** The server's summary, shown until the journal is read. */
  readonly detail: Signal<RunDetail | null>;
  /** The texts of a saved run, for which no server is asked. */
  readonly said?: Said;
  readonly problem: Signal<string>;
  /** True if the server has nothing with this id. */
  readonly isUnknown: Signal<boolean>;
  /** Fetches `detail` again, and the events since the stream has ended. */
  reload(): void;
}

export interface Store {
  readonly api: Api;
  readonly browser: Browser;
  readonly link: Signal<Link>;
  readonly outBy: Signal<OutBy>;
  readonly me: Signal<Me | null>;
  readonly runs: Signal<readonly RunSummary[]>;
  readonly talks: Signal<readonly SessionSummary[]>;
  readonly folders: Signal<readonly Workspace[]>;
  readonly questions: Signal<readonly RunQuestion[]>;
  readonly followed: Signal<Followed | null>;
  /** Why the last answer to a question that is gone did not count; '' if it did. */
  readonly late: Signal<string>;
  /** The text of the live region, for screen readers. */
  readonly announcement: Signal<string>;
  /** Unsent text by the view it was typed in, so that changing the view does not lose it. */
  readonly drafts: Map<string, string>;
  /** True if the page is a saved file: there is no server, and nothing changes. */
  readonly isSaved: boolean;
  /** Whether the link of this page grants the right. */
  may(right: 'work' | 'answer'): boolean;
  start(key: string | null): Promise<void>;
  follow(kind: Followed['kind'], id: string): void;
  leave(): void;
  /** Resolves to '' on success, otherwise to the error message. */
  send(path: string, body: object): Promise<string>;
}

export function createStore(browser: Browser): Store {
  const api = createApi(browser);
  const overview = new Overview();
  const link = signal<Link>('joining');
  const outBy = signal<OutBy>('ended');
  const me = signal<Me | null>(null);
  const folders = signal<readonly Workspace[]>([]);
  const followed = signal<Followed | null>(null);
  let stop = new AbortController();
  const leave = (): void => {
    stop.abort();
    followed.value = null;
  };
  return {
    ...{
      api,
      browser,
      link,
      outBy,
      me,
      folders,
      followed,
      announcement: signal(''),
      late: signal(''),
      isSaved: false,
    },
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
      followOverview(overview, link, api, browser);
      try {
        me.value = await api.get<Me>('/api/me');
        folders.value = (await api.get<{ workspaces: Workspace[] }>('/api/workspaces')).workspaces;
      } catch {
        // The stream reports the error and reconnects.
      }
    },
    follow: (kind, id) => {
      leave();
      stop = new AbortController();
      followed.value = followWork({ kind, id, api, browser, signal: stop.signal });
    },
    leave,
    send: async (path, body) => {
      try {
        await api.post(path, body);
        return '';
      } catch (error) {
        return errorWords(error);
      }
    },
  };
}

/** Runs as long as the page is open. */
function followOverview(overview: Overview, link: Signal<Link>, api: Api, browser: Browser): void {
  const onStatus = (status: 'opened' | 'lost' | 'ended' | 'refused'): void => {
    if (status === 'opened') overview.reset();
    link.value = status === 'opened' ? 'live' : status === 'refused' ? 'out' : 'lost';
    if (status === 'refused') api.forget();
  };
  const onEvent = (event: ClientEvent): void => overview.receive(event, browser);
  void follow(
    { path: '/api/events', onEvent, onStatus },
    api,
    browser,
    new AbortController().signal,
  );
}

export const errorWords = (error: unknown): string =>
  error instanceof ServerProblem
    ? [error.problem.detail, error.problem.hint].filter(Boolean).join(' ')
    : String(error);

/** Runs, conversations and questions of all folders, from one stream of events. */
class Overview {
  readonly runs = signal<readonly RunSummary[]>([]);
  readonly talks = signal<readonly SessionSummary[]>([]);
  readonly questions = signal<readonly RunQuestion[]>([]);
  #runs = new Map<string, RunSummary>();
  #talks = new Map<string, SessionSummary>();
  /** Open questions by run and id: two runs that ask about the same call have questions of the same id. */
  #questions = new Map<string, RunQuestion>();
  #isWaiting = false;

  /** The server sends everything again; the old state stays visible until the first of it arrives. */
  reset(): void {
    this.#runs = new Map();
    this.#talks = new Map();
    this.#questions = new Map();
  }

  receive({ event, data }: ClientEvent, browser: Browser): void {
    const { id, run } = data as { readonly id: string; readonly run: string };
    if (event === 'run') this.#runs.set(id, data as unknown as RunSummary);
    else if (event === 'session') this.#talks.set(id, data as unknown as SessionSummary);
    else if (event === 'question') {
      const asked = data as unknown as RunQuestion;
      this.#questions.set(`${run} ${asked.question.id}`, asked);
    } else if (event === 'settled') this.#questions.delete(`${run} ${id}`);
    else if (event === 'gone') this.#forget(id);
    else return;
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    browser.beforeNextFrame(() => this.#show());
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
  readonly browser: Browser;
  readonly signal: AbortSignal;
}

function followWork({ kind, id, api, browser, signal: ended }: Following): Followed {
  const base = kind === 'run' ? `/api/runs/${id}` : `/api/sessions/${id}`;
  const followed: Followed = {
    ...{ kind, id, work: signal({ ...EMPTY_WORK, run: id }), detail: signal(null) },
    ...{ problem: signal(''), isUnknown: signal(false) },
    reload: () => {
      listen();
      if (kind === 'talk') return;
      api.get<RunDetail>(base).then(
        (detail) => {
          followed.problem.value = '';
          followed.isUnknown.value = false;
          followed.detail.value = detail;
        },
        (error) => {
          followed.isUnknown.value = error instanceof ServerProblem && error.problem.status === 404;
          followed.problem.value = followed.isUnknown.value ? '' : errorWords(error);
        },
      );
    },
  };
  let pending: StreamEvent[] = [];
  const show = (): void => {
    const events = pending;
    pending = [];
    if (ended.aborted) return;
    followed.work.value = foldEvents(followed.work.value, events);
  };
  const onEvent = ({ event, data }: ClientEvent): void => {
    if (event === 'reset') {
      pending = [];
      followed.work.value = { ...EMPTY_WORK, run: id };
    }
    if (event === 'trace' && INCOMPLETE.has(data.kind)) {
      show();
      followed.work.value = { ...followed.work.value, turnNow: null };
    }
    if (OVERVIEW_EVENTS.has(event)) return;
    if (pending.length === 0) browser.beforeNextFrame(show);
    pending.push(data as unknown as StreamEvent);
  };
  const stream = kind === 'run' ? 'events?' : 'stream?observe=1&';
  const path = `${base}/${stream}records=1&names=tardigrade`;
  const onStatus = (status: string): void => {
    if (status === 'refused') followed.isUnknown.value = true;
  };
  let after = '';
  let isFollowing = false;
  // The stream of a run that is over ends, and an undo or a resume adds to it.
  const listen = (): void => {
    if (isFollowing) return;
    isFollowing = true;
    void follow({ path, after, onEvent, onStatus }, api, browser, ended).then((last) => {
      after = last;
      isFollowing = false;
    });
  };
  listen();
  return followed;
}

/**
 * Events after which the shown part of the current turn is incomplete, or of no turn any more; the turn's end
 * brings everything.
 */
const INCOMPLETE: ReadonlySet<unknown> = new Set(['turn_restarted', 'pieces_dropped']);

/** Events of the stream that are not events of the run; the overview handles them. */
const OVERVIEW_EVENTS = new Set(['question', 'settled', 'standing', 'trace', 'reset', 'bye']);
