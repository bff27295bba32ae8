/** Runs in real folders, and the commands of the program on them, inside of this process. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGoal } from '../../src/agent.ts';
import { main } from '../../src/cli/main.ts';

import type { Engine } from '../../src/host/engine-port.ts';
import {
  chainReport,
  listingOf,
  lockOwner,
  logError,
  readRun,
} from '../../src/host/journals/journal.ts';
import { repair, repairPlan } from '../../src/host/journals/repair.ts';
import { changesOf, undoChanges, undoPlan } from '../../src/host/journals/undo.ts';
import { type FileSystem, nodeFileSystem } from '../../src/lib/files/file-system.ts';
import type { Machine } from '../../src/run/machine.ts';
import type { RunState } from '../../src/schema/state.ts';
import { fakeEngine, fakeTerminal } from '../cli/support.ts';
import { diligentModel } from './models.ts';
import { SCRIPTED_MODEL, scriptedProvider } from './scripted-provider.ts';
import { showState } from './shown-state.ts';
import { testWorld } from './test-machine.ts';

export const GOAL =
  'Tidy data.csv, change notes.txt so that it names hello.mjs, and write hello.mjs: node hello.mjs prints "hello"';
const ORIGINAL = { 'notes.txt': 'what the user had\n', 'data.csv': 'a,b\n1,2\n' };

/** What `node hello.mjs` does besides printing: a command that changes what a user had. */
const TIDIED = 'a;b\n1;2\n';

const WORK = {
  subtasks: [
    { action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' },
    { action: 'write_file', file: 'notes.txt', purpose: 'notes it' },
    { action: 'run_cmd', cmd: 'node hello.mjs', purpose: 'see that it works' },
  ],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: {
    'hello.mjs': ['console.log("hello");\n'],
    'notes.txt': ['what the user had\nhello.mjs prints hello\n'],
  },
};

export type Files = { readonly [path: string]: string };

/** The files of a folder but those of the state. */
export function filesIn(folder: string): Files {
  const names = readdirSync(folder).filter((name) => name !== '.agent_context');
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** The real disk without its waiting: what is tried here is damage, not a power cut. */
const quickDisk = (isDead: () => boolean): FileSystem =>
  new Proxy(nodeFileSystem, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name === 'fsync' || name === 'fdatasync') return () => {};
      return (...args: unknown[]) => {
        if (isDead()) throw new Error('the process was killed');
        return value.apply(target, args);
      };
    },
  });

interface MortalMachine extends Machine {
  kill(): void;
}

let pid = 100;

function machineIn(): MortalMachine {
  let isDead = false;
  pid += 1;
  const mine = pid;
  const startTimeOf = (asked: number) => (asked === mine ? 'start' : null);
  const identity = { host: 'here', boot: 'boot', pidNamespace: '', pid: mine, startTimeOf };
  const { machine } = testWorld((args, ...[, , , , cwd]) => {
    const file = join(cwd, args[0] ?? '');
    if (!file.endsWith('hello.mjs') || !existsSync(file)) return { output: '', exitCode: 1 };
    writeFileSync(join(cwd, 'data.csv'), TIDIED);
    return { output: 'hello\n', exitCode: 0 };
  });
  const kill = (): void => {
    isDead = true;
  };
  const made = machine();
  // Each of them at a time of its own: two runs of a goal are two.
  const now = made.clock.now() + mine;
  return {
    ...{ ...made, clock: { ...made.clock, now: () => now } },
    ...{ identity, fs: quickDisk(() => isDead), kill },
  };
}

export interface MadeRun {
  readonly name: 'finished' | 'paused' | 'killed';
  /** The folder as the run left it; copied for each case. */
  readonly folder: string;
  readonly before: Files;
  readonly after: Files;
  /** Every state the run has had, by the number of its record. */
  readonly states: ReadonlyMap<number, RunState>;
}

/** The three runs that are damaged, in a folder that is removed at the end. */
export async function makeRuns(): Promise<{ readonly runs: MadeRun[]; dispose(): void }> {
  const root = mkdtempSync(join(tmpdir(), 'damage-'));
  const runs: MadeRun[] = [];
  for (const name of ['finished', 'paused', 'killed'] as const)
    runs.push(await makeRun(root, name));
  return { runs, dispose: () => rmSync(root, { recursive: true, force: true }) };
}

async function makeRun(root: string, name: MadeRun['name']): Promise<MadeRun> {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const [path, text] of Object.entries(ORIGINAL)) writeFileSync(join(folder, path), text);
  const states = new Map<number, RunState>();
  const machine = machineIn();
  const work = runGoal({
    keep: true,
    ...{ goal: GOAL, workspace: folder, model: SCRIPTED_MODEL, machine, plainTry: false },
    provider: scriptedProvider(diligentModel(WORK)),
    ...(name === 'paused' ? { maxRounds: 1 } : {}),
    emit: (event) => {
      if (event.type !== 'record') return;
      states.set(event.record.seq, event.state);
      if (name === 'killed' && event.record.type === 'action_started') machine.kill();
    },
  });
  await work.catch((error: unknown) => {
    if (name !== 'killed') throw error;
  });
  if (name === 'killed') showState({ fs: nodeFileSystem, clock: machine.clock }, folder);
  return { name, folder, before: ORIGINAL, after: filesIn(folder), states };
}

/** The files of a run that came to its end. */
export const endedFiles = (): Files => ({
  'hello.mjs': WORK.files['hello.mjs'][0] ?? '',
  'notes.txt': WORK.files['notes.txt'][0] ?? '',
  'data.csv': TIDIED,
});

export function copyOf({ folder }: MadeRun, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(folder, to, { recursive: true });
}

export interface Said {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One command line, as a script would give it. */
export async function agentIn(
  folder: string,
  argv: readonly string[],
  isTerminal = false,
): Promise<Said> {
  const machine = machineIn();
  const engine: Engine = {
    ...fakeEngine(),
    openModel: async () => ({
      ...{ provider: scriptedProvider(diligentModel(WORK)), model: SCRIPTED_MODEL },
      ...{ where: 'here', notice: '' },
    }),
    runGoal: ({ hiddenFiles: _hidden, ...request }) => runGoal({ ...request, machine }),
    beliefIn: (workspace, run) => {
      const state = readRun(machine, workspace, run);
      return state === null ? { kind: 'none' } : { kind: 'own', state };
    },
    readRun: (workspace, run) => readRun(machine, workspace, run),
    listRuns: (workspace) => listingOf(machine, workspace),
    lockOwner: (workspace) => lockOwner(machine, workspace),
    verifyChain: (workspace) => chainReport(machine, workspace),
    planUndo: async (workspace, which) => undoPlan(machine, workspace, undefined, which),
    changes: async (workspace, which = {}) => changesOf(machine, workspace, which),
    undo: async (request) => undoChanges(machine, request),
    planRepair: async (workspace) => repairPlan(machine, workspace),
    repair: async (request) => repair(machine, request),
    logError: (workspace, error) => logError(machine, workspace, error),
  };
  const env = { LANG: 'C.UTF-8', NO_COLOR: '1' };
  const terminal = fakeTerminal({ cwd: folder, env, isTerminal });
  const exitCode = await main(argv, terminal, async () => engine);
  return { exitCode, stdout: terminal.stdout.text(), stderr: terminal.stderr.text() };
}
