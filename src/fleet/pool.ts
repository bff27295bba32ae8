/**
 * Carries out the slices of a worker in child processes, so that the worker itself only talks with the engine. Owns the
 * processes and the queue.
 *
 * 1. The number of concurrent slices is limited; tenants take turns, and a run between two slices waits like any other.
 * 2. A run that is open in a process continues there, unless the process has gone.
 * 3. The number of waiting slices per tenant is limited; the engine sends further ones later, so that they occupy
 *    neither this worker nor the engine, and do not delay other tenants.
 * 4. A process that is silent for too long is ended with everything that it has started; its slices are tried again.
 */
import type { Clock } from '../lib/clock.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { FleetAnswer, FleetRequest, Slice, Slices } from './contract.ts';
import { FairQueue } from './fair-queue.ts';
import {
  BEAT_MS,
  type Order,
  type ProcessListener,
  type Report,
  type RunProcess,
  SILENT_MS,
} from './messages.ts';

export interface PoolPorts {
  readonly clock: Pick<Clock, 'monotonic'> & Required<Pick<Clock, 'every'>>;
  readonly processes: number;
  readonly mostSlices: number;
  launch(listener: ProcessListener): RunProcess;
}

interface Member {
  readonly process: RunProcess;
  readonly runs: Set<string>;
  readonly asked: Map<number, Asked>;
  slices: number;
  heardAt: number;
}

type Told = Extract<Report, { readonly id: number }>;

interface Asked {
  resolve(report: Told): void;
  reject(error: Error): void;
}

interface Job {
  readonly tenant: string;
  readonly request: FleetRequest;
  start(member: Member): void;
  /** Called when the run no longer waits. */
  leave(): void;
}

/** Per tenant, at one worker. */
const MAX_WAITING = 250;
const LATER_MS = 10_000;
const LATER_STEPS = 100;

export class Pool implements Slices {
  readonly #ports: PoolPorts;
  readonly #members = new Set<Member>();
  readonly #queue = new FairQueue<Job>();
  readonly #stopBeats: () => void;
  #lastId = 0;
  #working = 0;
  #refused = 0;
  #isClosed = false;

  constructor(ports: PoolPorts) {
    this.#ports = ports;
    this.#stopBeats = ports.clock.every(BEAT_MS, () => this.#beat());
  }

  /** Starts its processes, so that taking over a run need not wait for one. */
  warm(): void {
    while (this.#members.size < this.#ports.processes) this.#launch();
  }

  load(): { readonly working: number; readonly waiting: ReadonlyMap<string, number> } {
    return { working: this.#working, waiting: this.#queue.lengths() };
  }

  advance(request: FleetRequest, signal: AbortSignal): Promise<Slice> {
    if (this.#isFull(request.tenant) && this.#holderOf(request.run) === null) {
      const retryAfterMs = this.#laterMs();
      const why = 'the workers have enough to do';
      return Promise.resolve({ is: 'busy', seq: 0, why, retryAfterMs });
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        if (this.#queue.remove(job)) reject(gone('Whoever asked for the slice'));
      };
      const job: Job = {
        tenant: request.tenant,
        request,
        leave,
        start: (member) => {
          signal.removeEventListener('abort', leave);
          void this.#slice(member, request, signal).then(resolve, reject);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.add(job);
      if (signal.aborted || this.#isClosed) return leave();
      this.#next();
    });
  }

  async answer(request: FleetRequest, answer: FleetAnswer): Promise<string | null> {
    const member = this.#holderOf(request.run) ?? this.#anyone();
    const report = await this.#ask(member, (id) => ({ do: 'answer', id, request, answer }));
    return 'done' in report ? report.done : null;
  }

  pause(run: string): Promise<void> {
    return this.#tell('pause', run);
  }

  release(run: string): Promise<void> {
    return this.#tell('release', run);
  }

  /** Accepts no new slice; leaves waiting ones to others, lets the current ones end, then ends every process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#queue.all()) job.leave();
    const runs = [...this.#members].flatMap((member) => [...member.runs]);
    await Promise.allSettled(runs.map((run) => this.release(run)));
    this.#stopBeats();
    for (const { process } of this.#members) process.end();
  }

  /** Invariant 3. A run that is open here continues. */
  room(tenant: string): number {
    return this.#isFull(tenant) ? this.#laterMs() : 0;
  }

  #isFull(tenant: string): boolean {
    return (this.#queue.lengths().get(tenant) ?? 0) >= MAX_WAITING;
  }

  /** Spreads the refused slices over time. */
  #laterMs(): number {
    this.#refused += 1;
    return LATER_MS + (this.#refused % LATER_STEPS) * (LATER_MS / LATER_STEPS);
  }

  async #slice(member: Member, request: FleetRequest, signal: AbortSignal): Promise<Slice> {
    const { run } = request;
    member.slices += 1;
    this.#working += 1;
    member.runs.add(run);
    let asked = 0;
    const giveUp = () => member.process.send({ do: 'leave', id: asked });
    try {
      const answered = this.#ask(member, (id) => {
        asked = id;
        return { do: 'advance', id, request };
      });
      signal.addEventListener('abort', giveUp, { once: true });
      const report = await answered;
      if (!('slice' in report)) throw gone('The slice');
      const { slice } = report;
      // A run that waits for a lease must look again from the same process. A release before this slice took it away.
      if (slice.is === 'going_on' || slice.is === 'busy') member.runs.add(run);
      else member.runs.delete(run);
      return slice;
    } catch (error) {
      member.runs.delete(run);
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
      member.slices -= 1;
      this.#working -= 1;
      this.#next();
    }
  }

  /** Invariant 1. */
  #next(): void {
    const { mostSlices } = this.#ports;
    while (!this.#isClosed && this.#working < mostSlices) {
      const job = this.#queue.take(({ request }) => this.#roomFor(request.run) !== null);
      if (job === null) return;
      job.start(this.#roomFor(job.request.run) ?? this.#anyone());
    }
  }

  /** Invariant 2. `null`: the process with the run is at its limit. */
  #roomFor(run: string): Member | null {
    const each = Math.ceil(this.#ports.mostSlices / this.#ports.processes);
    const holder = this.#holderOf(run);
    if (holder !== null) return holder.slices < each ? holder : null;
    return this.#anyone();
  }

  #holderOf(run: string): Member | null {
    return [...this.#members].find(({ runs }) => runs.has(run)) ?? null;
  }

  /** The process with the least work; a further one if the limit allows. */
  #anyone(): Member {
    const [least] = [...this.#members].sort((one, other) => one.slices - other.slices);
    const mayHaveMore = this.#members.size < this.#ports.processes;
    return least === undefined || (least.slices > 0 && mayHaveMore) ? this.#launch() : least;
  }

  #launch(): Member {
    const asked = new Map<number, Asked>();
    const member: Member = {
      process: this.#ports.launch({
        report: (report) => this.#hear(member, report),
        exited: () => this.#lose(member),
      }),
      runs: new Set(),
      asked,
      slices: 0,
      heardAt: this.#ports.clock.monotonic(),
    };
    this.#members.add(member);
    return member;
  }

  #hear(member: Member, report: Report): void {
    member.heardAt = this.#ports.clock.monotonic();
    if ('beat' in report) return;
    const asked = member.asked.get(report.id);
    member.asked.delete(report.id);
    if (!('failed' in report)) asked?.resolve(report);
    else asked?.reject(new Error(`${report.failed.code}: ${report.failed.message}`));
  }

  #lose(member: Member): void {
    this.#members.delete(member);
    member.runs.clear();
    for (const { reject } of member.asked.values()) reject(gone('The process of the run'));
    member.asked.clear();
    this.#next();
  }

  /** Invariant 4. */
  #beat(): void {
    const now = this.#ports.clock.monotonic();
    for (const member of this.#members) {
      if (now - member.heardAt < SILENT_MS) member.process.send({ do: 'beat' });
      else {
        member.process.end();
        this.#lose(member);
      }
    }
  }

  async #tell(what: 'pause' | 'release', run: string): Promise<void> {
    const member = this.#holderOf(run);
    if (member === null) return;
    await this.#ask(member, (id) => ({ do: what, id, run }));
    member.runs.delete(run);
  }

  #ask(member: Member, order: (id: number) => Order): Promise<Told> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      member.asked.set(id, { resolve, reject });
      member.process.send(order(id));
    });
  }
}

const gone = (who: string): TardigradeError =>
  new TardigradeError('E_INTERRUPTED', `${who} is gone.`, 'Another worker continues the run.');
