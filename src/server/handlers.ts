/** The work of each route. */

import type { SandboxState } from '../host/engine-port.ts';
import { misuse } from '../lib/errors.ts';
import type { ResumeBody, RunBody, RunSummary } from './api/run-schemas.ts';
import type { Right } from './api/schemas.ts';
import type { Holdings } from './holdings.ts';
import { unknownRefusal } from './http/problem.ts';
import { type Handlers, mayAsk, type RouteCall } from './http/server.ts';
import type { Tokens } from './http/tokens.ts';
import { forget, permissionsIn } from './permissions.ts';
import type { ServerPlace } from './place.ts';
import * as act from './runs/act.ts';
import { isOver } from './runs/catalogue.ts';
import { historyOf } from './runs/history.ts';
import { hasNoRecord } from './runs/next-steps.ts';
import { outputOf } from './runs/outputs.ts';
import { factsIn, planIn } from './runs/parts.ts';
import { runPage } from './runs/run-page.ts';
import { resultLater } from './runs/said.ts';
import { adoptBelowRoot, repairBelowRoot } from './runs/take-over.ts';
import type { RunFeed } from './streams/feed.ts';
import { breathing, streamAll, streamRun, streamTalk } from './streams/serve.ts';
import { applyBelowRoot, undoBelowRoot } from './undo.ts';

/** A count may be this old, since watchers request it often. */
const COUNTED_MS = 1000;

export function handlersFor(
  holdings: Holdings,
  { tokens, link }: { readonly tokens: Tokens; link(right: Right): string },
): Handlers {
  const { place, queue, catalogue } = holdings;
  const begun = place.clock.monotonic();
  const counts = async () => {
    const runs = await catalogue.gathered(COUNTED_MS);
    const working = runs.filter(({ standing }) => standing === 'running').length;
    return { working, waiting: queue.waiting.length };
  };
  const sandboxHere = sandboxIn(place);
  return {
    health: async () => ({
      ok: true,
      version: place.version,
      ...(await counts()),
      uptimeMs: Math.round(place.clock.monotonic() - begun),
    }),
    token: ({ body }) => tokens.exchange(body.key),
    link: ({ body }) => ({ url: link(body.right ?? 'answer') }),
    me: async ({ rights }) => ({
      rights,
      version: place.version,
      roots: place.roots,
      maxRuns: place.maxRuns,
      ...(await counts()),
      sandbox: await sandboxHere(),
    }),
    models: async () => ({ providers: await modelsOf(place) }),
    workspaces: () => ({ workspaces: catalogue.workspaces() }),
    permissions: () => permissionsIn(holdings),
    forgetRule: ({ body }) => forget(holdings, body),
    addWorkspace: ({ body }) => catalogue.add(body.path),
    events: (call) => streamAll(call, holdings.everything),
    ...runHandlers(holdings),
    ...talkHandlers(holdings),
  };
}

/** A trial of the sandbox may be this old: it starts a program, and its result seldom changes. */
const TRIED_MS = 60_000;
const TRY_MS = 5000;

function sandboxIn({ engine, clock, roots: [root = '.'], sandbox: usual }: ServerPlace) {
  let tried: { readonly at: number; readonly found: Promise<SandboxState> } | null = null;
  return async () => {
    const now = clock.monotonic();
    if (tried === null || now - tried.at > TRIED_MS)
      tried = { at: now, found: engine.sandbox(root, AbortSignal.timeout(TRY_MS)).catch(untried) };
    return { ...(await tried.found), usual };
  };
}

const untried = (error: unknown): SandboxState => ({
  holds: false,
  next: '',
  what: `a sandbox could not be tried: ${String(error)}`,
});

async function modelsOf({ engine }: ServerPlace) {
  const signal = AbortSignal.timeout(5000);
  const all = await engine.listModels({ host: null, baseUrl: null, signal });
  return all.map(({ provider, problem, models }) => ({
    provider,
    problem,
    models: models.map(({ name }) => name),
  }));
}

const PAGE = 50;
const MAX_PAGE = 1000;

const limitIn = (query: URLSearchParams): number =>
  Math.min(MAX_PAGE, numberIn(query, 'limit', { least: 1, otherwise: PAGE }));

/** A whole number from the query. Throws E_USAGE for anything else. */
function numberIn(
  query: URLSearchParams,
  name: string,
  { least, otherwise }: { readonly least: number; readonly otherwise: number },
): number {
  const text = query.get(name) || `${otherwise}`;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw misuse(
    `${name} is ${JSON.stringify(text.slice(0, 40))}.`,
    `Give a whole number from ${least} on.`,
  );
}

interface YesAhead {
  readonly rights: readonly Right[];
  readonly body: Pick<RunBody & ResumeBody, 'allow' | 'proof' | 'agree' | 'sandbox'>;
}

/** Throws if the request's body answers questions in advance, and its sender may not answer. */
function allowed<Asked extends YesAhead>(call: Asked): Asked {
  const { allow = [], proof, agree = false, sandbox = 'require' } = call.body;
  // The sandbox that a request names replaces the one that the settings of the user and of the project
  // require.
  const mayLoosen = sandbox !== 'require';
  if (allow.length > 0 || proof !== undefined || agree || mayLoosen) mayAsk(call, 'answer');
  return call;
}

function runEvents(holdings: Holdings, call: RouteCall<'runEvents'>): Promise<void> | void {
  const { place, catalogue } = holdings;
  const id = call.part('run');
  const neverBegins = (): boolean => catalogue.isUnrecorded(id);
  const streamOf = (feed: RunFeed, isRunOver: boolean): Promise<void> => {
    const isPaused = (): boolean => catalogue.run(id).standing === 'paused';
    const result = () => resultLater(place, feed.of, isPaused);
    return streamRun(call, { feed, isOver: isRunOver, neverBegins, result }, place);
  };
  const feed = holdings.workingFeed(id);
  if (feed !== null) return streamOf(feed, false);
  const run = catalogue.run(id);
  if (hasNoRecord(run)) return call.frames().bye('ended');
  return streamOf(holdings.feedOf(run), isOver(run));
}

function runHandlers(holdings: Holdings) {
  const { place, catalogue, feedOf } = holdings;
  const of = (call: { part(name: 'run'): string }): RunSummary => catalogue.run(call.part('run'));
  return {
    startRun: (call) => act.queueRun(holdings, allowed(call).body, call.key),
    typedRun: ({ body }) => act.typedStart(holdings, body),
    runs: async ({ query }) => {
      const folder = query.get('workspace');
      const all = (await catalogue.gathered()).filter(
        ({ workspace, path }) => folder === null || [workspace, path].includes(folder),
      );
      return runPage(all, { after: query.get('after') || null, limit: limitIn(query) });
    },
    run: (call) => holdings.detail(of(call)),
    runEvents: (call) => runEvents(holdings, call),
    runHistory: (call) => {
      const { journal } = feedOf(of(call));
      const query = { after: call.after, limit: limitIn(call.query) };
      const records = call.query.get('records') === '1';
      return historyOf(journal, { ...query, records }, breathing(place));
    },
    runRecord: (call) => {
      const record = feedOf(of(call)).journal.record(Number(call.part('seq')));
      if (record === null) throw unknownRefusal('such record', 'GET the history of the run.');
      return record;
    },
    runDiff: (call) => act.readDiff(holdings, of(call), call.query.get('path')),
    approveRun: (call) => act.approve(holdings, of(call), call.part('id'), call.body),
    say: async (call) => {
      await act.say(holdings, of(call), call.body.text);
      return TAKEN;
    },
    resumeRun: (call) => act.queueResume(holdings, of(call), allowed(call).body),
    cancelRun: async (call) => {
      await act.pauseRun(holdings, of(call));
      return TAKEN;
    },
    runPlan: (call) => planIn(holdings.state(of(call))),
    runFacts: (call) => factsIn(holdings.state(of(call))),
    runOutput: (call) => {
      const { journal } = feedOf(of(call));
      const from = numberIn(call.query, 'from', { least: 0, otherwise: 0 });
      return outputOf(journal, { action: call.part('action'), from }, breathing(place));
    },
    undoRun: (call) => undoBelowRoot(place, of(call), call.body),
    applyRun: (call) => applyBelowRoot(place, of(call)),
    adoptRun: (call) => adoptBelowRoot(place, of(call), call.body),
    repairRun: (call) => repairBelowRoot(place, of(call), call.body),
  } satisfies Partial<Handlers>;
}

const TAKEN = { taken: true } as const;

function talkHandlers({ talks, place }: Holdings) {
  const of = (call: { part(name: 'session'): string }) => talks.talk(call.part('session'));
  return {
    startSession: ({ body, key }) => talks.create(body, key),
    sessions: () => ({ sessions: talks.list() }),
    session: (call) => talks.detail(call.part('session')),
    sessionTranscript: (call) => ({ lines: talks.transcript(call.part('session')) }),
    sessionStream: (call) => streamTalk(call, of(call), place),
    chat: async (call) => ({ turn: await of(call).chat(call.body.message) }),
    approveCall: (call) => of(call).answer(call.part('id'), call.body),
    resumeSession: (call) => talks.resume(call.part('session'), call.body),
    cancelSession: async (call) => {
      await of(call).cancel();
      return TAKEN;
    },
    undoSession: (call) => talks.undo(call.part('session'), call.body),
    commandSession: async (call) => {
      const { text } = call.body;
      if (place.isAnswer(text)) mayAsk(call, 'answer');
      return { said: await of(call).command(text) };
    },
    closeSession: (call) => talks.close(call.part('session')),
  } satisfies Partial<Handlers>;
}
