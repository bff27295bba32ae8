/**
 * What stands outside of the machine and survives its crashes: the model, the programs, and a
 * witness of everything that was acknowledged, asked and run.
 */
import { layoutOf } from '../../src/journal/layout.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import type { Provider } from '../../src/llm/provider.ts';
import type { ProcessHooks, ProcessOutcome, ProcessRequest } from '../../src/processes/contract.ts';
import type { SystemProcesses } from '../../src/processes/system-processes.ts';
import type { Machine } from '../../src/run/machine.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import type { Located } from '../../src/schema/records.ts';
import type { RunState } from '../../src/schema/state.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { type SimulatedFileSystem, SimulatedKill } from '../support/simulated-file-system.ts';
import { watchingRecords } from '../support/written-records.ts';
import { faultedModel } from './engine-model.ts';

export const WORKSPACE = '/work';
const { history: HISTORY, root: STATE } = layoutOf(WORKSPACE);

/** A bug planted under or before the engine. */
export interface EngineBug {
  readonly fs?: (fs: SimulatedFileSystem) => FileSystem;
  readonly machine?: (machine: Machine) => Machine;
  /** Programs do not wait until their start is written. */
  readonly beginsAtOnce?: true;
  /** Planted in the engine itself for one start; @returns what takes it out again. */
  readonly plant?: () => () => void;
  /** Done with the machine of a start before the engine itself begins. */
  readonly before?: (machine: Machine, witness: Witness) => Promise<void>;
}

export class Violation extends Error {
  override readonly name = 'Violation';
}

export function demand(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Violation(what);
}

/** What the world saw, whatever the disk forgets. */
export class Witness {
  /** By seq, as the engine told them: not even a power cut may take one of them. */
  readonly acknowledged = new Map<number, Located>();
  /** By seq, as the engine wrote them since the power was cut last: a kill takes none of them. */
  readonly written = new Map<number, Located>();
  readonly requests: string[] = [];
  /** Command lines that had their effect, looks at files left out. */
  readonly commands: string[] = [];
  /** Programs that outlived the process that started them: start time by pid. */
  readonly alive = new Map<number, string>();
  readonly violations: string[] = [];
  state: RunState | null = null;
  starts = 0;
  /** Times that the machine went down, its processes with it. */
  boots = 0;
  /** Requests that have an answer, and the record of it. */
  readonly #answered = new Map<string, number>();

  /** The same past, for another future. */
  copy(): Witness {
    const copy = new Witness();
    for (const [seq, record] of this.acknowledged) copy.acknowledged.set(seq, record);
    for (const [seq, record] of this.written) copy.written.set(seq, record);
    copy.requests.push(...this.requests);
    copy.commands.push(...this.commands);
    for (const [pid, startTime] of this.alive) copy.alive.set(pid, startTime);
    for (const [request, seq] of this.#answered) copy.#answered.set(request, seq);
    copy.state = this.state;
    copy.starts = this.starts;
    copy.boots = this.boots;
    return copy;
  }

  hear(event: RunEvent): void {
    if (event.type !== 'record') return;
    const record = event.record as Located;
    this.state = event.state;
    // That a program started is told at once: it says nothing that anybody could rely on.
    if (record.type === 'action_started') return;
    const known = this.acknowledged.get(record.seq);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(record))
      this.violations.push(`record ${record.seq} was acknowledged and is another one now`);
    this.acknowledged.set(record.seq, record);
    this.written.set(record.seq, record);
  }

  /** The engine goes on as one whose process may die now without losing the record. */
  wrote(record: Located): void {
    const known = this.written.get(record.seq);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(record))
      this.violations.push(`record ${record.seq} was written and is another one now`);
    this.written.set(record.seq, record);
    if (record.type === 'turn_finished' && record.status.kind === 'success')
      this.#answered.set(this.requests.at(-1) ?? '', record.seq);
  }

  /** What was written and led to nothing yet may be gone. */
  powerWasCut(): void {
    this.boots += 1;
    this.alive.clear();
    this.written.clear();
    for (const [seq, record] of this.acknowledged) this.written.set(seq, record);
    for (const [request, seq] of this.#answered)
      if (!this.acknowledged.has(seq)) this.#answered.delete(request);
  }

  /** @param what comes next, and must not come before the journal is on the disk */
  atBarrier(fs: SimulatedFileSystem, what: string): void {
    if (!fs.isDead && !fs.isDurable(HISTORY))
      this.violations.push(`${what} before its records were durable`);
  }

  asked(request: string): void {
    if (this.#answered.has(request)) this.violations.push('a finished model call was repeated');
    this.requests.push(request);
  }
}

const outcome = (output: string, exitCode = 0): ProcessOutcome => ({
  ...{ kind: 'exited', exitCode, signal: null, output },
  ...{ truncatedBytes: 0, durationMs: 0 },
});

/** What `node FILE` prints: the first thing the file says, as the live disk holds it. */
function print(fs: SimulatedFileSystem, path: string): ProcessOutcome {
  const text = textAt(fs, path);
  const said = /console\.log\("([^"]*)"\)/.exec(text ?? '')?.[1];
  return said === undefined ? outcome('Error: Cannot find module\n', 1) : outcome(`${said}\n`);
}

/** A file as the running system sees it, without an operation. */
export function textAt(fs: SimulatedFileSystem, path: string): string | null {
  try {
    const node = fs.nodeAt(path);
    if (node?.kind !== 'file') return null;
    return Buffer.from(node.bytes.subarray(0, node.size)).toString('utf8');
  } catch {
    return null;
  }
}

const FIRST_PID = 9_000;

/** What a program does on the disk while the engine waits, so that the engine can die meanwhile. */
function work(fs: SimulatedFileSystem): void {
  const once = [() => fs.mkdir('/busy'), () => fs.rmdir('/busy')];
  const steps = [...once, ...once];
  for (const step of steps) {
    try {
      step();
    } catch (error) {
      if (error instanceof SimulatedKill) throw error;
    }
  }
}

function run(fs: SimulatedFileSystem, witness: Witness, { beginsAtOnce }: EngineBug) {
  return async (request: ProcessRequest, hooks: ProcessHooks): Promise<ProcessOutcome> => {
    if (fs.isDead) throw new SimulatedKill('spawn');
    if (request.args.includes('--check')) return outcome('');
    witness.atBarrier(fs, 'a program started');
    // It waits at the gate, and is gone with an engine that dies before the start is written.
    const pid = FIRST_PID + witness.commands.length + 1;
    const begin = () => witness.commands.push([request.file, ...request.args].join(' '));
    if (beginsAtOnce) {
      begin();
      work(fs);
    }
    hooks.onSpawn?.(pid, 'spawned');
    if (fs.isDead) throw new SimulatedKill('gate');
    if (!beginsAtOnce) begin();
    witness.alive.set(pid, 'spawned');
    try {
      work(fs);
    } finally {
      // A dead engine leaves its program behind; a living one ends it.
      if (!fs.isDead) witness.alive.delete(pid);
    }
    if (fs.isDead) throw new SimulatedKill('wait');
    if (hooks.signal.aborted) return { ...outcome(''), kind: 'cancelled', exitCode: null };
    return print(fs, `${request.cwd}/${request.args[0] ?? ''}`);
  };
}

const NODE_ALONE: SystemProcesses['programs'] = {
  find: async (name) =>
    name === 'node'
      ? { kind: 'found', file: name, prefix: [], notice: '' }
      : { kind: 'missing', reason: `There is no ${name}.`, hint: '' },
  environment: () => ({}),
};

const processesOf = (
  fs: SimulatedFileSystem,
  witness: Witness,
  bug: EngineBug,
): SystemProcesses => ({
  platform: fs.platform,
  place: { boot: `boot ${witness.boots}`, pidNamespace: '', isGated: true },
  run: run(fs, witness, bug),
  resolve: (name) => (name === 'node' ? name : null),
  startTime: (pid) => witness.alive.get(pid) ?? null,
  killTree: async (pid) => void witness.alive.delete(pid),
  endLeftover: async (started) => {
    if (started === null) return 'none';
    return witness.alive.delete(started.pid) ? 'ended' : 'none';
  },
  programs: NODE_ALONE,
  outside: NODE_ALONE,
});

/** A file of the workspace is begun. */
function watchingEffects(fs: FileSystem, onEffect: () => void): FileSystem {
  return new Proxy(fs, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const path = String(args[0]);
        const isOurs = path.startsWith(`${WORKSPACE}/`) && !path.startsWith(STATE);
        if (name === 'open' && isOurs && args[1] === 'wx') onEffect();
        return value.apply(target, args);
      };
    },
  });
}

const LONGEST_WAIT_MS = 60_000;

/** A fresh process on a disk; its clock shows which start of all it is, and nothing else. */
export function machineOn(fs: SimulatedFileSystem, witness: Witness, bug: EngineBug): Machine {
  witness.starts += 1;
  const pid = witness.starts;
  const startTimeOf = (asked: number) => (asked === pid ? `started ${pid}` : null);
  const machine: Machine = {
    fs: watchingRecords(
      watchingEffects(bug.fs?.(fs) ?? fs, () => witness.atBarrier(fs, 'a file was written')),
      (record) => witness.wrote(record),
    ),
    clock: {
      now: () => 1_700_000_000_000 + pid,
      monotonic: () => 0,
      sleep: (ms, signal) =>
        ms <= LONGEST_WAIT_MS
          ? Promise.resolve()
          : new Promise((_, reject) => {
              signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
            }),
    },
    identity: { host: 'here', boot: `boot ${witness.boots}`, pidNamespace: '', pid, startTimeOf },
    nodePath: 'node',
    processes: () => processesOf(fs, witness, bug),
  };
  return bug.machine?.(machine) ?? machine;
}

export function providerOn(fs: SimulatedFileSystem, witness: Witness): Provider {
  return scriptedProvider((request, n) => {
    if (fs.isDead) throw new SimulatedKill('ask');
    witness.atBarrier(fs, 'a request was sent');
    witness.asked(JSON.stringify(request));
    return faultedModel(request, n);
  }, LARGE);
}
