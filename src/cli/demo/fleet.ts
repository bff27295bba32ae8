/** `agent demo --fleet`: a real run on three workers of a real engine; the worker that holds the run is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restateEngine } from '../../fleet/restate/client.ts';
import { loadSdk } from '../../fleet/restate/sdk.ts';
import { signRequest } from '../../fleet/signing.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { listProcesses } from '../../processes/identity.ts';
import { operatingSystem } from '../../processes/operating-system.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { type Balancer, startBalancer } from '../fleet/balancer.ts';
import { type LocalEngine, startLocalEngine } from '../fleet/local-engine.ts';
import { fillInPromises } from '../fleet/promises.ts';
import { fleetFolder, sdkPlaces } from '../fleet/sdk-places.ts';
import { JournalTail, journalPath } from '../journal-tail.ts';
import { commandToPaste } from '../process/program-name.ts';
import { historyWords } from '../render/records/history-words.ts';
import { printFolded } from '../render/text/fold.ts';
import { JAVASCRIPT_GOAL } from './goals.ts';

const WORKERS = 3;
/** A pause after every record, so that the eye can follow. */
const PACE_MS = 150;
const LOOK_MS = 50;
const MAX_MS = 120_000;
const RUN = 'demo';

interface Worker {
  readonly child: ChildProcess;
  readonly port: number;
  readonly name: string;
}

interface Parts {
  readonly context: CommandContext;
  readonly home: string;
  readonly say: (text?: string) => void;
  readonly workers: Worker[];
  readonly ends: (() => void | Promise<void>)[];
}

export async function demoFleet(context: CommandContext): Promise<number> {
  const say = (text = ''): void => printFolded(context.terminal.stdout, `${text}\n`);
  const program = await serverHere(context);
  fillInPromises();
  const missing =
    program === null
      ? 'the server of Restate is not here (restate-server on PATH)'
      : loadSdk(sdkPlaces(context)) === null
        ? `the SDK of Restate is not installed: ${commandToPaste(context.terminal, ['setup', 'fleet'])}`
        : '';
  if (program === null || missing !== '') {
    say(`The demo of a fleet is skipped: ${missing}. docs/fleet.md says how to get it.`);
    return EXIT.achieved;
  }
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tardigrade-fleet-demo-')));
  const parts: Parts = { context, home, say, workers: [], ends: [] };
  try {
    return await play(parts, program);
  } finally {
    for (const end of parts.ends.reverse()) await end();
    if (context.invocation.clean === true) rmSync(home, { recursive: true, force: true });
  }
}

/** On PATH, or beside the SDK. */
async function serverHere(context: CommandContext): Promise<string | null> {
  const { outside } = await context.engine.programs(context.terminal.cwd);
  const found = await outside.find('restate-server');
  if (found.kind === 'found') return found.file;
  const { platform, arch } = context.terminal;
  const name = `restate-server-${platform}-${arch}/bin/restate-server`;
  const beside = join(fleetFolder(context), 'node_modules/@restatedev', name);
  return existsSync(beside) ? beside : null;
}

async function play(parts: Parts, program: string): Promise<number> {
  const { say, home, context, workers, ends } = parts;
  say(
    "The model's answers in this demo are recorded, with the times they took; the engine, the workers, the files and the kill are real.",
  );
  const runs = join(home, 'runs');
  mkdirSync(runs);
  const engine = await startLocalEngine(program, join(home, 'engine'));
  ends.push(() => engine.kill());
  const balancer = await startBalancer(() => workers.map(({ port }) => port));
  ends.push(() => balancer.close());
  say(`\n1. The engine works at ${engine.address}; its data lies in ${join(home, 'engine')}`);
  await startWorkers(parts, runs, { engine, balancer });
  say('\n2. A goal is submitted; the engine gives it to one of them, slice by slice.\n');
  const folder = join(runs, RUN);
  mkdirSync(folder);
  const recording = join(context.terminal.programFolder, 'demo', JAVASCRIPT_GOAL.recording);
  const words = ['--plan-first', longFlag(OPTIONS.model), `recorded:${recording}`];
  const own = userResources(context.terminal).own.findOrMake();
  if (own.kind !== 'ok') throw new Error(own.why);
  const request = { run: RUN, workspace: folder, goal: JAVASCRIPT_GOAL.goal, words };
  await restateEngine(engine.address).submit(
    signRequest(own.key, { ...request, tenant: 'demo', at: context.terminal.clock.now() }),
  );
  const seen = await follow(parts, folder, engine);
  const next = commandToPaste(context.terminal, ['submit', JAVASCRIPT_GOAL.goal]);
  if (!seen.isOver) {
    say(`\n4. The run did not end within ${MAX_MS / 1000} seconds.`);
    return EXIT.failed;
  }
  say(`\n4. The run came to its end on ${seen.took.length + 1} workers; ${seen.again}.`);
  const stays = context.invocation.clean === true ? '' : `: ${journalPath(folder)}`;
  say(`   The killed one did no harm: what it had done stood in the journal${stays}`);
  say(`\nOn machines of your own, see docs/fleet.md:\n   ${next}`);
  return EXIT.achieved;
}

async function startWorkers(
  { context, workers, ends, say }: Parts,
  runs: string,
  { engine, balancer }: { readonly engine: LocalEngine; readonly balancer: Balancer },
): Promise<void> {
  const { terminal } = context;
  const [program = '', ...first] = terminal.self;
  const words = [
    'worker',
    longFlag(OPTIONS.listen),
    '127.0.0.1:0',
    longFlag(OPTIONS.sandbox),
    'off',
  ];
  const env = { ...terminal.env, TARDIGRADE_PACE_MS: String(PACE_MS), NO_COLOR: '1' };
  for (let count = 1; count <= WORKERS; count += 1) {
    const child = spawn(program, [...first, ...words, longFlag(OPTIONS.roots), runs], {
      cwd: runs,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    ends.push(() => void child.kill('SIGKILL'));
    const port = await portOf(child);
    workers.push({ child, port, name: `worker ${count} (process ${child.pid})` });
  }
  await engine.register(`http://127.0.0.1:${balancer.port}`);
  say(`   Three workers: ${workers.map(({ name }) => name).join(', ')}`);
}

const portOf = (child: ChildProcess): Promise<number> =>
  new Promise((done, fail) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const port = /:(\d+)\n/.exec(said)?.[1];
      if (port !== undefined) done(Number(port));
    });
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`A worker ended with exit code ${code}.`)));
  });

/** Shows the journal as it grows, and kills the worker that holds the run once an action is done. */
async function follow(parts: Parts, folder: string, engine: LocalEngine) {
  const { context, say } = parts;
  const { clock } = context.terminal;
  const tail = new JournalTail(journalPath(folder));
  const began = clock.monotonic();
  const commands: string[] = [];
  const took: number[] = [];
  let killedAt = 0;
  for (let isOver = false; clock.monotonic() - began < MAX_MS; ) {
    for (const { record } of tail.read()) {
      if (killedAt > 0 && took.length === 0) {
        took.push(clock.monotonic() - killedAt);
        const name = parts.workers[await holderOf(parts, folder)]?.name ?? 'another worker';
        say(`   ${name} continues the run ${((took[0] ?? 0) / 1000).toFixed(1)} s later.\n`);
      }
      const line = record === null ? null : historyWords(record);
      if (line !== null) say(`    ${line}`);
      if (record?.type === 'action_started') commands.push(record.id);
      if (record?.type === 'action_finished' && killedAt === 0 && (await killHolder(parts, folder)))
        killedAt = clock.monotonic();
    }
    if (isOver) return { isOver, took, again: ranAgain(commands) };
    const standing = await restateEngine(engine.address)
      .standing(RUN)
      .catch(() => null);
    isOver = standing?.slice?.is === 'ended';
    await clock.sleep(LOOK_MS);
  }
  return { isOver: false, took, again: '' };
}

const ranAgain = (commands: readonly string[]): string =>
  new Set(commands).size === commands.length
    ? 'no program was started a second time'
    : 'A PROGRAM WAS STARTED TWICE';

/** The index of the worker with a process that holds the lock; -1 if unknown. */
async function holderOf({ context, workers }: Parts, folder: string): Promise<number> {
  const { terminal, engine } = context;
  const holder = engine.lockOwner(folder)?.pid;
  const all = await listProcesses(operatingSystem(terminal.platform, undefined));
  const parent = all.find(({ pid }) => pid === holder)?.parent;
  return workers.findIndex(({ child }) => child.pid === parent);
}

async function killHolder(parts: Parts, folder: string): Promise<boolean> {
  const { say, workers } = parts;
  const at = await holderOf(parts, folder);
  const [worker] = at < 0 ? [] : workers.splice(at, 1);
  if (worker === undefined) return false;
  worker.child.kill('SIGKILL');
  say(`\n3. ${worker.name} had the run, and was killed with SIGKILL.`);
  return true;
}
