/** A run or a conversation, undisturbed or killed at a place and started again, as outside witnesses saw it. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTimeOf } from '../../src/processes/identity.ts';
import { operatingSystem } from '../../src/processes/operating-system.ts';
import { type FakeOllama, startFakeOllama } from './fake-ollama.ts';
import type { Reply } from './fake-ollama-replies.ts';
import { seedsOf } from './golden-talk-text.ts';
import {
  type JournalView,
  journalOf,
  newPlace,
  type PinnedAgent,
  type Place,
  pidsOf,
  type Started,
  startAgent,
  witnessOf,
} from './kill-agent.ts';
import type { KillScenario } from './kill-scenarios.ts';

export type KillPoint =
  /** In the instant the record with this number is written. */
  | { readonly at: 'record'; readonly seq: number }
  /** The n-th request, from 1, has arrived: not answered at all, or all but the answer's end. */
  | { readonly at: 'request'; readonly n: number; readonly isHalfAnswered: boolean }
  /** Inside a command that does not end, nor lets itself be asked to. */
  | { readonly at: 'command' }
  | { readonly at: 'moment'; readonly ms: number };

export interface SeenRequest {
  readonly body: string;
  /** The witness when the request arrived. */
  readonly witness: readonly string[];
}

export interface Witnessed {
  readonly requests: readonly SeenRequest[];
  readonly journal: JournalView;
  readonly witness: readonly string[];
  readonly code: number | null;
  readonly output: string;
  readonly violations: readonly string[];
  readonly durationMs: number;
}

export interface KilledRun extends Witnessed {
  readonly point: KillPoint;
  /** What there was at the moment of the kill. */
  readonly before: {
    readonly requests: number;
    readonly journal: JournalView;
    readonly witness: readonly string[];
  };
  /** Processes of a command that outlived the kill, and whether each still lives at the end. */
  readonly survivors: readonly { readonly pid: number; readonly isAlive: boolean }[];
}

const MODEL = 'scripted:1.5b';
const LOOK_MS = 15;

/** Owns the server's log; `atRequest` may take hold of what is answered. */
interface Bench {
  readonly place: Place;
  readonly server: FakeOllama;
  readonly requests: readonly SeenRequest[];
  atRequest: (reply: Reply, n: number) => Reply;
}

async function benchFor(scenario: KillScenario): Promise<Bench> {
  const place = newPlace();
  for (const [path, text] of Object.entries(scenario.files ?? {}))
    writeFileSync(join(place.workspace, path), text);
  const requests: SeenRequest[] = [];
  const server = await startFakeOllama({
    models: [{ name: MODEL, contextLength: scenario.contextLength }],
    script: (request, n, body) => {
      requests.push({ body, witness: witnessOf(place) });
      return bench.atRequest(scenario.reply(request), n);
    },
  });
  const bench: Bench = { place, server, requests, atRequest: (reply) => reply };
  return bench;
}

async function dispose({ place, server }: Bench): Promise<void> {
  await server.close();
  place.dispose();
}

const commonWords = (bench: Bench): readonly string[] => [
  ...['--host', bench.server.url, '--max-rounds', '60'],
];

/** The words of each start that it takes; what was said is not said again. */
function startsOf(scenario: KillScenario, bench: Bench): readonly (readonly string[])[] {
  const { goal = '', says, toolMode, plainTry } = scenario;
  const model = ['--model', MODEL, '--tool-mode', toolMode];
  if (says === undefined)
    return [['run', goal, ...(plainTry ? [] : ['--plan-first']), ...model, ...commonWords(bench)]];
  const said = timesSaid(journalOf(bench.place));
  return says
    .slice(said)
    .map((text) => [
      ...['chat', '--session', 'talk', '--exec', text, '--host', bench.server.url, ...model],
    ]);
}

const timesSaid = ({ records }: JournalView): number =>
  records.filter(({ type }: { readonly type: string }) => type === 'person_said').length;

export async function undisturbed(agent: PinnedAgent, scenario: KillScenario): Promise<Witnessed> {
  const bench = await benchFor(scenario);
  try {
    const startedAt = performance.now();
    const ended = await startedAll(agent, bench, startsOf(scenario, bench));
    return witnessed(bench, ended, performance.now() - startedAt);
  } finally {
    await dispose(bench);
  }
}

/** What the last one came to. */
async function startedAll(
  agent: PinnedAgent,
  { place }: Bench,
  starts: readonly (readonly string[])[],
): Promise<Awaited<Started['ended']>> {
  let ended: Awaited<Started['ended']> = { code: null, output: 'nothing was left to start' };
  for (const words of starts) ended = await startAgent(agent, place, words, null).ended;
  return ended;
}

function witnessed(
  { place, requests, server }: Bench,
  { code, output }: Awaited<Started['ended']>,
  durationMs: number,
): Witnessed {
  const journal = journalOf(place);
  const plain = plainIn(place, journal);
  return {
    requests: requests.map((one) => ({ ...one, body: plain(one.body) })),
    journal,
    witness: witnessOf(place),
    violations: server.violations,
    ...{ code, output, durationMs },
  };
}

/** A conversation names its folder and its time, and has seeds of its own; a run has none of it. */
function plainIn({ workspace }: Place, { records }: JournalView): (body: string) => string {
  const [first] = records;
  if (first?.type !== 'run_opened' || first.conversation === undefined) return (body) => body;
  const seeds = seedsOf([first.run]);
  return (body) =>
    body
      .replaceAll(JSON.stringify(workspace).slice(1, -1), '/ws')
      .replace(/Current time: [^ ]+/, 'Current time: TIME')
      .replace(/"seed":(\d+)/, (_, seed) => `"seed":"${seeds.get(Number(seed)) ?? seed}"`);
}

/** Starts it, kills it with SIGKILL at the point, starts it again and lets it end. */
export async function killedAt(
  agent: PinnedAgent,
  scenario: KillScenario,
  point: KillPoint,
): Promise<KilledRun> {
  const bench = await benchFor(scenario);
  try {
    const startedAt = performance.now();
    await killOnce(agent, scenario, point, bench);
    const before = {
      requests: bench.requests.length,
      journal: journalOf(bench.place),
      witness: witnessOf(bench.place),
    };
    const survivors = pidsOf(bench.place).filter(isAlive);
    rmSync(join(bench.place.home, 'hold'), { force: true });
    // Typed again, or resumed without any of its words, as people do.
    const { length } = before.journal.lines;
    const isResumed = scenario.says === undefined && length > 1 && length % 2 === 0;
    const starts = isResumed ? [['resume', ...commonWords(bench)]] : startsOf(scenario, bench);
    const ended = await startedAll(agent, bench, starts);
    return {
      ...witnessed(bench, ended, performance.now() - startedAt),
      ...{ point, before },
      survivors: survivors.map((pid) => ({ pid, isAlive: isAlive(pid) })),
    };
  } finally {
    for (const pid of pidsOf(bench.place)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await dispose(bench);
  }
}

async function killOnce(
  agent: PinnedAgent,
  scenario: KillScenario,
  point: KillPoint,
  bench: Bench,
): Promise<void> {
  const { place } = bench;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  if (point.at === 'command') writeFileSync(join(place.home, 'hold'), '');
  const dieAfter = point.at === 'record' ? point.seq : null;
  let run: Started | null = null;
  const kill = (): void => {
    run?.child.kill('SIGKILL');
  };
  if (point.at === 'request')
    bench.atRequest = (reply, n) =>
      n === point.n ? heldReply(reply, point, kill, released) : reply;
  const timer = setInterval(() => {
    if (isReached(point, place)) kill();
  }, LOOK_MS);
  const moment = point.at === 'moment' ? setTimeout(kill, point.ms) : undefined;
  for (const words of startsOf(scenario, bench)) {
    run = startAgent(agent, place, words, dieAfter);
    const { code } = await run.ended;
    if (code === null) break;
  }
  clearInterval(timer);
  clearTimeout(moment);
  bench.atRequest = (reply) => reply;
  release();
}

/** A getter: the kill comes when the server has come so far, and not before. */
function heldReply(
  reply: Reply,
  { isHalfAnswered }: Extract<KillPoint, { at: 'request' }>,
  kill: () => void,
  released: Promise<void>,
): Reply {
  return Object.defineProperty({ ...reply }, isHalfAnswered ? 'beforeEnd' : 'beforeHeaders', {
    get: () => {
      kill();
      return released;
    },
  });
}

function isReached(point: KillPoint, place: Place): boolean {
  switch (point.at) {
    case 'command':
      return pidsOf(place).length >= 2 && hasStarted(place);
    default:
      return false;
  }
}

/** The process is recorded as soon as it runs, but maybe not before it says so itself. */
const hasStarted = (place: Place): boolean => {
  const last = journalOf(place).records.at(-1);
  return last?.type === 'action_started' && pidsOf(place).includes(last.pid);
};

const isAlive = (pid: number): boolean =>
  startTimeOf(pid, operatingSystem(process.platform, process.env.SystemRoot)) !== null;
