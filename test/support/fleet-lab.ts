/** A fleet on this machine: a real durable engine, workers as the built program starts them, and a witness of every command. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { DurableEngine, FleetStanding } from '../../src/fleet/contract.ts';
import { signRequest } from '../../src/fleet/signing.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { inspectLock } from '../../src/journal/lock/inspect-lock.ts';
import { thisMachine } from '../../src/run/machine.ts';
import { COMPILED } from './compiled.ts';
import {
  type FakeOllama,
  type FakeOllamaOptions,
  type Reply,
  startFakeOllama,
} from './fake-ollama.ts';
import { type EngineKind, type LabEngine, ON_RESTATE } from './fleet-engines.ts';
import { descendants, isThere, onMachine, portOf } from './fleet-machines.ts';
import { MODEL } from './server-lab.ts';

/** Why there is nothing to test with; '': there is. */
export const WHY_NO_FLEET = ON_RESTATE.whyNot;

const KEY = Buffer.alloc(32, 7);
/** Of a model's provider, in the environment of every worker. */
export const SECRET = 'sk-ant-only-workers-know-this-key';
const MAX_ASKED = 20;
const called = (name: string, args: object): Reply => ({ toolCalls: [{ name, arguments: args }] });

/** Runs each command until it is told of its end, or that nobody knows its end. */
export const runsAll =
  (labels: readonly string[]) =>
  ({ messages }: { readonly messages: readonly { role: string; content: string }[] }): Reply => {
    const plan = {
      tasks: [{ description: 'work', subtasks: [{ do: 'Run them' }] }],
      answer_only: true,
    };
    if (!messages.some(({ role }) => role === 'tool')) return called('set_plan', plan);
    const text = messages.map(({ content }) => content).join('\n');
    const next = labels.find(
      (label) => !text.includes(`step ${label} done`) && !isUnknown(messages, label),
    );
    if (next !== undefined) return called('run_cmd', { cmd: `node step.mjs ${next}` });
    return called('mark_subtask_complete', { success: true, reason: 'each has run' });
  };

/** The model was told that the command was cut off, so it does not ask for it again. */
const isUnknown = (messages: readonly { content: string }[], label: string): boolean =>
  messages.some(
    ({ content }) =>
      content.includes(`node step.mjs ${label}`) && /unknown|interrupted/i.test(content),
  );

/** Says when it begins and ends; that another command of its run lives beside it is said, too. */
const stepOf = (witness: string, run: number, ms: number): string => `
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
const label = process.argv[2];
const file = ${JSON.stringify(witness)};
const mine = file + '.' + ${run};
const say = (word) => appendFileSync(file, '${run} ' + label + ' ' + word + ' ' + process.pid + '\\n');
const lives = (pid) => { try { process.kill(pid, 0); return true; } catch { return false; } };
try { writeFileSync(mine, String(process.pid), { flag: 'wx' }); } catch {
  let other = 0;
  try { other = Number(readFileSync(mine, 'utf8')); } catch {}
  if (other > 0 && lives(other)) say('OVERLAP');
  writeFileSync(mine, String(process.pid));
}
say('begins');
setTimeout(() => { rmSync(mine, { force: true }); say('ends'); console.log('step ' + label + ' done'); }, ${ms});
`;

export interface WorkerProcess {
  readonly pid: number;
  readonly port: number;
  kill(signal?: NodeJS.Signals): void;
  readonly gone: Promise<unknown>;
  /** The signal for it and all that it has started, in their own order. */
  killAll(signal: NodeJS.Signals): void;
}

export class FleetLab {
  readonly #home = mkdtempSync(join(tmpdir(), 'tardigrade-fleet-'));
  readonly #workers = new Set<WorkerProcess>();
  /** No new connection is made to them. */
  readonly #hung = new Set<WorkerProcess>();
  /** What workers are started from. */
  bin: string;
  /** Words for each worker. */
  readonly #more: readonly string[];
  #engine!: LabEngine;
  #model!: FakeOllama;
  #registered: Promise<void> | null = null;
  readonly witness = join(this.#home, 'witness');

  private constructor(bin: string, more: readonly string[]) {
    this.bin = bin;
    this.#more = more;
  }

  static async open(
    bin: string,
    script: NonNullable<FakeOllamaOptions['script']>,
    more: readonly string[] = [],
    kind: EngineKind = ON_RESTATE,
  ): Promise<FleetLab> {
    const lab = new FleetLab(bin, more);
    const data = join(lab.#home, 'data/tardigrade-agent');
    mkdirSync(join(data, 'fleet'), { recursive: true });
    mkdirSync(lab.runs);
    symlinkSync(kind.packages, join(data, 'fleet/node_modules'));
    writeFileSync(join(data, 'origin.key'), KEY, { mode: 0o600 });
    lab.#model = await startFakeOllama({
      models: [
        {
          ...{ name: MODEL, capabilities: ['completion', 'tools'], contextLength: 65_536 },
          ...{ parameterSize: '30B', family: 'qwen3' },
        },
      ],
      script,
    });
    lab.#engine = await kind.open(join(lab.#home, 'engine'), () =>
      lab.workers.flatMap((worker) => (lab.#hung.has(worker) ? [] : worker.port)),
    );
    return lab;
  }

  get runs(): string {
    return join(this.#home, 'runs');
  }

  get workers(): readonly WorkerProcess[] {
    return [...this.#workers];
  }

  get address(): string {
    return this.#engine.address;
  }

  get engine(): DurableEngine {
    return this.#engine.engine;
  }

  get environment(): NodeJS.ProcessEnv {
    const { PATH } = process.env;
    return {
      ...{ PATH, HOME: this.#home, XDG_DATA_HOME: join(this.#home, 'data') },
      ...{ XDG_CACHE_HOME: COMPILED, OLLAMA_HOST: this.#model.url },
      ANTHROPIC_API_KEY: SECRET,
    };
  }

  async startWorkers(count: number, machine?: string): Promise<readonly WorkerProcess[]> {
    const started = await Promise.all(
      Array.from({ length: count }, () => this.#startWorker(machine)),
    );
    this.#registered ??= this.#engine.register();
    await this.#registered;
    return started;
  }

  /** The worker and all that it has started, as where a machine hangs. */
  hang(worker: WorkerProcess): void {
    this.#hung.add(worker);
    worker.killAll('SIGSTOP');
  }

  async #startWorker(machine?: string): Promise<WorkerProcess> {
    const words = [
      ...[process.execPath, this.bin, 'worker', ...this.#engine.words],
      ...['--sandbox', 'off', '--root', this.runs, ...this.#more],
    ];
    const [program = '', ...rest] =
      machine === undefined ? words : [...onMachine(machine, this.#bootOf(machine)), ...words];
    const child = spawn(program, rest, {
      ...{ cwd: this.runs, env: this.environment, stdio: ['ignore', 'pipe', 'ignore'] },
    });
    const port = await portOf(child);
    const gone = new Promise((done) => child.once('exit', done));
    const worker: WorkerProcess = {
      ...{ pid: child.pid ?? 0, port, gone },
      kill: (signal = 'SIGKILL') => void child.kill(signal),
      killAll: (signal) => {
        for (const pid of descendants(worker.pid))
          try {
            process.kill(pid, signal);
          } catch {
            // It has gone meanwhile.
          }
      },
    };
    this.#workers.add(worker);
    void gone.then(() => this.#workers.delete(worker));
    return worker;
  }

  #bootOf(machine: string): string {
    const file = join(this.#home, `boot-${machine}`);
    writeFileSync(file, `${machine}\n`);
    return file;
  }

  engineHas(text: string): Promise<boolean> {
    return this.#engine.keeps(text);
  }

  /** A folder with the commands of its run. */
  folder(run: number, ms = 300): string {
    const folder = join(this.runs, `r${run}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'step.mjs'), stepOf(this.witness, run, ms));
    return folder;
  }

  async submit(
    run: number,
    folder: string,
    goal = `run the commands of r${run}`,
    more: readonly string[] = ['--yes'],
  ): Promise<string> {
    const name = `r${run}`;
    const words = ['--model', `ollama/${MODEL}`, ...more];
    const request = { run: name, workspace: folder, goal, words };
    await this.engine.submit(signRequest(KEY, { ...request, tenant: 'test', at: 0 }));
    return name;
  }

  async standing(run: string): Promise<FleetStanding | null> {
    return this.engine.standing(run).catch(() => null);
  }

  /** Waits until each of them has ended; throws with where they stand once it takes too long. */
  async ended(
    runs: readonly string[],
    mostMs: number,
    report: (left: number) => void = () => {},
  ): Promise<void> {
    let open = [...runs];
    const began = Date.now();
    while (open.length > 0) {
      // To answer is work of the engine and of the workers.
      const asked = open.slice(0, MAX_ASKED);
      const all = await Promise.all(asked.map((run) => this.standing(run)));
      if (Date.now() - began > mostMs)
        throw new Error(
          `${open.length} not at their end: ${asked.map((run, at) => `${run} ${JSON.stringify(all[at]?.slice)}`).join('; ')}`,
        );
      open = open.filter((_, at) => all[at]?.slice?.is !== 'ended');
      report(open.length);
      if (open.length > 0) await after(100);
    }
  }

  /** The worker one of whose processes has the lock of a folder. */
  holderOf(folder: string): WorkerProcess | null {
    const { fs, identity } = thisMachine();
    const pid = inspectLock({ fs, identity, directory: layoutOf(folder).lock })?.owner.pid ?? 0;
    return this.workers.find((worker) => descendants(worker.pid).includes(pid)) ?? null;
  }

  async killEngine(): Promise<void> {
    await this.#engine.kill();
    await this.#engine.start();
  }

  /** Lines of the witness: run, label, word, pid. */
  witnessed(): readonly (readonly string[])[] {
    const text = existsSync(this.witness) ? readFileSync(this.witness, 'utf8') : '';
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' '));
  }

  async close(): Promise<void> {
    const workers = [...this.#workers];
    const processes = workers.flatMap(({ pid }) => descendants(pid));
    for (const worker of workers) {
      worker.killAll('SIGKILL');
    }
    await Promise.all(workers.map(({ gone }) => gone));
    await this.#engine?.close();
    await this.#model?.close();
    while (processes.some(isThere)) await after(10);
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 10 });
  }
}
