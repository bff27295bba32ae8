import type { Clock } from '../../src/lib/clock.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { type MemoryDirectory, newDirectory } from '../../src/lib/files/memory-nodes.ts';
import type { ProcessHooks, ProcessOutcome, ProcessRequest } from '../../src/processes/contract.ts';
import type { Programs } from '../../src/processes/system-processes.ts';
import type { Machine } from '../../src/run/machine.ts';

const PLATFORM = process.platform === 'win32' ? 'win32' : 'linux';
const SEPARATOR = PLATFORM === 'win32' ? '\\' : '/';

export const WORKSPACE = PLATFORM === 'win32' ? 'C:\\ws' : '/ws';

/** A command a run started: `isDone` once it had its effect. */
export interface RanCommand {
  readonly line: string;
  /** Absolute: the workspace, or a copy of it. */
  readonly cwd: string;
  readonly stdin: string | undefined;
  isDone: boolean;
}

/** A program: what it prints and how it ends. `read`, `write` and `remove`: in `cwd`, where it works; `name`: its own. */
export type ScriptedProgram = (
  args: readonly string[],
  stdin: string | undefined,
  read: (path: string) => string | null,
  write: (path: string, text: string) => void,
  remove: (path: string) => void,
  cwd: string,
  name: string,
  disk: FileSystem,
) => { readonly output: string; readonly exitCode: number } | 'timeout';

/** True for a program that works in the engine's copy of the workspace: the state is not in it. */
export const isInCopy = (read: (path: string) => string | null): boolean =>
  read('.agent_context/history.jsonl') === null;

export interface TestWorld {
  /** Every command that was started, checks and proofs too, looks at files left out. */
  readonly commands: readonly RanCommand[];
  read(path: string): string | null;
  write(path: string, text: string): void;
  /** A machine of a fresh process on the same disk; programs it left behind are gone. */
  machine(): TestMachine;
}

export interface TestMachine extends Machine {
  /** From here on the process is dead: nothing it does reaches the disk, and everything throws. */
  kill(): void;
}

const PROCESS_GONE = 'the process was killed';

/** Waits of a retry take no time; longer ones are deadlines, which never pass. */
const LONGEST_WAIT_MS = 60_000;

const standingClock: Clock = {
  now: () => 1_700_000_000_000,
  monotonic: () => 0,
  sleep: (ms, signal) =>
    ms <= LONGEST_WAIT_MS
      ? Promise.resolve()
      : new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
};

/**
 * A disk in memory with one workspace, time that stands still, and programs that are functions.
 * @param run what `node FILE` does; by default the file's own `console.log` and `throw` lines.
 * @param names the programs that are there
 */
export function testWorld(run?: ScriptedProgram, names: readonly string[] = ['node']): TestWorld {
  const root: MemoryDirectory = newDirectory(0o755, 0);
  const disk = createMemoryFileSystem({ platform: PLATFORM, root });
  makeFolders(disk, WORKSPACE);
  const commands: RanCommand[] = [];
  const at = (path: string) => [WORKSPACE, ...path.split('/')].join(SEPARATOR);
  let pid = 100;
  const world: TestWorld = {
    commands,
    read: (path) => readText(disk, at(path)),
    write: (path, text) => {
      makeFolders(disk, at(path).split(SEPARATOR).slice(0, -1).join(SEPARATOR));
      writeText(disk, at(path), text);
    },
    machine: () => {
      pid += 1;
      return machineOn(
        root,
        pid,
        commands,
        run ?? ((args, _stdin, read) => interpret(read(args[0] ?? ''))),
        names,
      );
    },
  };
  return world;
}

/** A language of two statements: `console.log("…")` and `throw new Error("…")`. */
function interpret(code: string | null): { output: string; exitCode: number } {
  if (code === null) return { output: 'Error: Cannot find module\n', exitCode: 1 };
  let output = '';
  for (const [, verb, text] of code.matchAll(/(console\.log|throw new Error)\("([^"]*)"\)/g)) {
    if (verb !== 'console.log') return { output: `${output}Error: ${text}\n`, exitCode: 1 };
    output += `${text}\n`;
  }
  return { output, exitCode: 0 };
}

function machineOn(
  root: MemoryDirectory,
  pid: number,
  commands: RanCommand[],
  program: ScriptedProgram,
  names: readonly string[],
): TestMachine {
  const programs = programsNamed(names);
  let isDead = false;
  const fs = mortal(createMemoryFileSystem({ platform: PLATFORM, root }), () => isDead);
  const startTimeOf = (asked: number): string | null => (asked === pid ? 'start' : null);
  const run = async (request: ProcessRequest, hooks: ProcessHooks): Promise<ProcessOutcome> => {
    if (request.args.includes('--check')) return outcome({ output: '', exitCode: 0 });
    const line = [request.file, ...request.args].join(' ');
    const { cwd, stdin } = request;
    const command: RanCommand = { line, cwd, stdin, isDone: false };
    commands.push(command);
    hooks.onSpawn?.(9000 + commands.length, 'spawned');
    if (isDead) throw new Error(PROCESS_GONE);
    if (hooks.signal.aborted) return { ...outcome({ output: '', exitCode: 0 }), kind: 'cancelled' };
    const inFolder = (path: string) => [request.cwd, ...path.split('/')].join(SEPARATOR);
    const ended = program(
      request.args,
      request.stdin,
      (path) => readText(fs, inFolder(path)),
      (path, text) => {
        makeFolders(fs, inFolder(path).split(SEPARATOR).slice(0, -1).join(SEPARATOR));
        writeText(fs, inFolder(path), text);
      },
      (path) => fs.unlink(inFolder(path)),
      request.cwd,
      request.file,
      fs,
    );
    command.isDone = true;
    return ended === 'timeout' ? { ...NOTHING, kind: 'timeout', exitCode: null } : outcome(ended);
  };
  return {
    fs,
    clock: standingClock,
    identity: { host: 'here', boot: 'boot', pidNamespace: '', pid, startTimeOf },
    nodePath: 'node',
    processes: () => ({
      platform: PLATFORM,
      place: { boot: 'boot', pidNamespace: '', isGated: PLATFORM !== 'win32' },
      run,
      resolve: (name) => (names.includes(name) ? name : null),
      startTime: startTimeOf,
      killTree: () => Promise.resolve(),
      endLeftover: async () => 'none',
      programs,
      outside: programs,
    }),
    kill: () => {
      isDead = true;
    },
  };
}

const programsNamed = (names: readonly string[]): Programs => ({
  find: async (name) =>
    names.includes(name)
      ? { kind: 'found', file: name, prefix: [], notice: '' }
      : { kind: 'missing', reason: `There is no ${name}.`, hint: '' },
  environment: () => ({}),
});

const NOTHING: ProcessOutcome = {
  kind: 'exited',
  exitCode: 0,
  signal: null,
  output: '',
  truncatedBytes: 0,
  durationMs: 0,
};

const outcome = (ended: { output: string; exitCode: number }): ProcessOutcome => ({
  ...NOTHING,
  ...ended,
});

/** The disk as a process sees it: after its death every operation throws. */
function mortal(fs: FileSystem, isDead: () => boolean): FileSystem {
  return new Proxy(fs, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (isDead()) throw new Error(PROCESS_GONE);
        return value.apply(target, args);
      };
    },
  });
}

function makeFolders(fs: FileSystem, path: string): void {
  const names = path.split(SEPARATOR);
  for (let count = PLATFORM === 'win32' ? 1 : 2; count <= names.length; count += 1) {
    try {
      fs.mkdir(names.slice(0, count).join(SEPARATOR));
    } catch {
      // It is there.
    }
  }
}

function writeText(fs: FileSystem, path: string, text: string): void {
  const fd = fs.open(path, 'w');
  fs.write(fd, Buffer.from(text), 0);
  fs.close(fd);
}

function readText(fs: FileSystem, path: string): string | null {
  try {
    const bytes = Buffer.alloc(fs.stat(path).size);
    const fd = fs.open(path, 'r');
    fs.read(fd, bytes, 0);
    fs.close(fd);
    return bytes.toString('utf8');
  } catch {
    return null;
  }
}
