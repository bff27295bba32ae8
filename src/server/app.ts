/** The server in one piece: what it holds, each route's work, and its end. */
import type { Server } from 'node:http';
import { TardigradeError } from '../lib/errors.ts';
import { errorCode } from '../lib/files/durable-files.ts';
import { pathsOf } from '../workspace/jail.ts';
import { Right, type RunSummary } from './api/schemas.ts';
import { type Names, namesFor } from './http/door.ts';
import type { FrameWriter } from './http/frames.ts';
import { Once } from './http/once.ts';
import { unknown } from './http/problem.ts';
import { type Handlers, httpServer } from './http/server.ts';
import { Tokens } from './http/tokens.ts';
import type { ServerPlace } from './place.ts';
import * as act from './runs/act.ts';
import { Catalogue, isOver } from './runs/catalogue.ts';
import { detailOf } from './runs/detail.ts';
import { historyOf } from './runs/history.ts';
import { RunQueue } from './runs/queue.ts';
import { TalkStore } from './sessions/store.ts';
import { Everything } from './streams/everything.ts';
import { RunFeed } from './streams/feed.ts';
import { breathing, streamAll, streamRun, streamTalk } from './streams/serve.ts';

export interface ServerWish {
  readonly place: ServerPlace;
  readonly host: string;
  /** 0: one that is free. */
  readonly port: number;
  /** Addresses that it is reached by beside its own. */
  readonly others: readonly string[];
}

export interface RunningServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** Good once and for a minute. */
  link(): string;
  /** Good as long as it works, for another program of its user. */
  readonly token: string;
  /** Runs go on; messages of conversations end where they are. */
  close(): Promise<void>;
}

const LOOK_MS = 300;

export async function startServer({
  place,
  host,
  port,
  others,
}: ServerWish): Promise<RunningServer> {
  const { join } = pathsOf(place.fs.platform);
  const folder = join(place.dataFolder, 'serve');
  const tokens = new Tokens({ ...place, file: join(folder, 'tokens.json') });
  const once = new Once({ ...place, folder: join(folder, 'once') });
  const holdings = new Holdings(place);
  let names: Names = { hosts: new Set(), origins: new Set() };
  let url = '';
  let isStopping = false;
  const writers = new Set<FrameWriter>();
  const link = (): string => `${url}/#k=${tokens.link(Right.options)}`;
  const server = httpServer({
    ...{ place, tokens, once, writers },
    handlers: handlersFor(holdings, { tokens, link }),
    names: () => names,
    isStopping: () => isStopping,
  });
  once.sweep();
  const real = await listening(server, host, port);
  names = namesFor(real, others);
  url = `http://${host.includes(':') ? `[${host}]` : host}:${real}`;
  const stop = place.clock.every?.(LOOK_MS, () => holdings.queue.look());
  return {
    ...{ url, link, token: tokens.own(Right.options) },
    close: async () => {
      isStopping = true;
      stop?.();
      for (const writer of writers) writer.bye('shutdown');
      holdings.closeFeeds();
      await holdings.talks.closeAll();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.race([closed, place.clock.sleep(LAST_WORDS_MS)]);
      server.closeAllConnections();
    },
  };
}

const LAST_WORDS_MS = 500;

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)));
    server.listen({ host, port }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function cannotListen(error: Error, host: string, port: number): TardigradeError {
  const isTaken = errorCode(error) === 'EADDRINUSE';
  const message = isTaken
    ? `Port ${port} of ${host} is taken.`
    : `Nothing can listen at ${host}, port ${port} (${errorCode(error)}).`;
  return new TardigradeError('E_USAGE', message, 'Choose another port; 0 takes one that is free.', {
    cause: error,
  });
}

/** What the server holds. */
class Holdings {
  readonly place: ServerPlace;
  readonly queue: RunQueue;
  readonly catalogue: Catalogue;
  readonly talks: TalkStore;
  readonly everything: Everything;
  readonly #feeds = new Map<string, RunFeed>();

  constructor(place: ServerPlace) {
    this.place = place;
    this.queue = new RunQueue(place);
    this.catalogue = new Catalogue(place, this.queue);
    this.talks = new TalkStore(place, this.catalogue);
    this.everything = new Everything(this, place);
  }

  readonly feedOf = ({ id, path }: RunSummary): RunFeed => {
    const known = this.#feeds.get(id);
    if (known !== undefined) return known;
    const feed = new RunFeed(this.place, { run: id, workspace: path }, () => {
      if (this.#feeds.get(id) === feed) this.#feeds.delete(id);
    });
    this.#feeds.set(id, feed);
    return feed;
  };

  questionsOf = (run: RunSummary) => {
    try {
      return this.detail(run).questions;
    } catch {
      // It cannot be read at this moment.
      return [];
    }
  };

  readonly detail = (run: RunSummary) =>
    detailOf(this.place, this.queue, run, this.#feeds.get(run.id)?.questions ?? new Map());

  closeFeeds(): void {
    for (const feed of this.#feeds.values()) feed.close();
  }
}

function handlersFor(
  holdings: Holdings,
  { tokens, link }: { readonly tokens: Tokens; link(): string },
): Handlers {
  const { place, queue, catalogue } = holdings;
  const begun = place.clock.monotonic();
  const counts = () => {
    const working = catalogue.runs().filter(({ standing }) => standing === 'running').length;
    return { working, waiting: queue.waiting.length };
  };
  return {
    health: () => ({
      ...{ ok: true, version: place.version, ...counts() },
      uptimeMs: Math.round(place.clock.monotonic() - begun),
    }),
    token: ({ body }) => tokens.exchange(body.key),
    link: () => ({ url: link() }),
    me: ({ rights }) => ({
      ...{ rights, version: place.version, roots: place.roots, maxRuns: place.maxRuns },
      ...counts(),
    }),
    models: async () => ({ providers: await modelsOf(place) }),
    workspaces: () => ({ workspaces: catalogue.workspaces() }),
    addWorkspace: ({ body }) => catalogue.add(body.path),
    events: (call) => streamAll(call, holdings.everything),
    ...runHandlers(holdings),
    ...talkHandlers(holdings),
  };
}

async function modelsOf({ engine }: ServerPlace) {
  const signal = AbortSignal.timeout(5000);
  const all = await engine.listModels({ host: null, baseUrl: null, signal });
  return all.map(({ provider, problem, models }) => ({
    ...{ provider, problem },
    models: models.map(({ name }) => name),
  }));
}

const PAGE = 50;
const MOST_PAGE = 1000;

const limitIn = (query: URLSearchParams): number =>
  Math.min(MOST_PAGE, Math.max(1, Number(query.get('limit')) || PAGE));

function runHandlers(holdings: Holdings) {
  const { place, catalogue, feedOf } = holdings;
  const of = (call: { part(name: 'run'): string }): RunSummary => catalogue.run(call.part('run'));
  return {
    startRun: ({ body, key }) => act.start(holdings, body, key),
    runs: ({ query }) => {
      const folder = query.get('workspace');
      const all = catalogue.runs().filter((run) => folder === null || run.workspace === folder);
      const from = all.findIndex(({ id }) => id === query.get('after')) + 1;
      const runs = all.slice(from, from + limitIn(query));
      const isEnd = from + runs.length >= all.length;
      return { runs, next: isEnd ? null : (runs.at(-1)?.id ?? null) };
    },
    run: (call) => holdings.detail(of(call)),
    runEvents: (call) => {
      const run = of(call);
      return streamRun(call, { feed: feedOf(run), isOver: isOver(run) }, place);
    },
    runHistory: (call) => {
      const { journal } = feedOf(of(call));
      const wish = { after: call.after, limit: limitIn(call.query) };
      const records = call.query.get('records') === '1';
      return historyOf(journal, { ...wish, records }, breathing(place));
    },
    runRecord: (call) => {
      const record = feedOf(of(call)).journal.record(Number(call.part('seq')));
      if (record === null) throw unknown('such record', 'GET the history of the run.');
      return record;
    },
    runDiff: (call) => act.diff(holdings, of(call), call.query.get('path')),
    approveRun: (call) => act.approve(holdings, of(call), call.part('id'), call.body),
    say: async (call) => {
      await act.say(holdings, of(call), call.body.text);
      return TAKEN;
    },
    resumeRun: (call) => act.resume(holdings, of(call), call.body),
    cancelRun: async (call) => {
      await act.pause(holdings, of(call));
      return TAKEN;
    },
    undoRun: (call) => act.undo(holdings, of(call), call.body),
  } satisfies Partial<Handlers>;
}

const TAKEN = { taken: true } as const;

function talkHandlers({ talks, place }: Holdings) {
  const of = (call: { part(name: 'session'): string }) => talks.held(call.part('session'));
  return {
    startSession: ({ body }) => talks.create(body),
    sessions: () => ({ sessions: talks.list() }),
    session: (call) => talks.detail(call.part('session')),
    sessionTranscript: (call) => ({ lines: talks.transcript(call.part('session')) }),
    sessionStream: (call) => streamTalk(call, of(call), place),
    chat: (call) => ({ turn: of(call).chat(call.body.message) }),
    approveCall: (call) => of(call).answer(call.part('id'), call.body),
    resumeSession: (call) => talks.resume(call.part('session'), call.body),
    cancelSession: (call) => {
      of(call).cancel();
      return TAKEN;
    },
    closeSession: (call) => talks.close(call.part('session')),
  } satisfies Partial<Handlers>;
}
