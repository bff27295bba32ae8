/**
 * Runs that wait for their turn, and runs for which a process was started.
 *
 * 1. A request is on disk before anything is done for it, so that a restarted server finds it.
 * 2. A limited number of runs work at once, and only one per folder; first come, first served.
 * 3. What goes wrong with one run is kept as an error and ends neither the server nor another run.
 * 4. A started process is no child that dies with the server: its output goes to files.
 * 5. The requests of a server that closes are left for the next one, even if a process that has not begun dies with it.
 */
import { isOfOther, ownerNow, type QueuedRun } from '../../host/work-files.ts';
import { orNull } from '../../lib/or-null.ts';
import { ServerRefusal } from '../http/problem.ts';
import type { ProcessEnd, ServerPlace } from '../place.ts';
import { UNSEEN } from '../process-end.ts';
import { mayWorkIn } from '../roots.ts';
import { EndedEarly } from './ended-early.ts';
import { QueueFiles } from './queue-files.ts';

const MAX_WAITING = 64;
/** The time a process has to report that it works, and the interval at which the queue checks whether it still does. */
const START_MS = 30_000;
const LOOK_MS = 3000;

interface Waiting {
  readonly queued: QueuedRun;
  /** When a process was started for it; `null`: none was. */
  startedAt: number | null;
  /** When the run's process is looked for again, by the monotonic clock; left out: at once. */
  lookAt?: number;
  /** The run's process was seen at work in its journal. */
  isBegun?: true;
  /** An earlier server left the run; the process that it started may still come. */
  isLeft?: true;
  /** Requested before that process had gone, such as a resume right after a pause: it starts afterwards. */
  next?: QueuedRun | undefined;
}

export class RunQueue {
  readonly #place: ServerPlace;
  readonly #files: QueueFiles;
  readonly #isLasting: boolean;
  readonly early: EndedEarly;
  readonly #changed: (run: string) => void;
  readonly #all = new Map<string, Waiting>();
  #isClosed = false;

  /**
   * @param isLasting true if the queue takes up what an earlier server left, and leaves its own requests to a
   * later one
   * @param changed called when a process is started for a run, and when it has gone
   */
  constructor(place: ServerPlace, isLasting: boolean, changed: (run: string) => void = () => {}) {
    this.#place = place;
    this.#isLasting = isLasting;
    this.#changed = changed;
    this.#files = new QueueFiles(place);
    this.early = new EndedEarly(place, this.#files);
    if (isLasting) this.#recover();
  }

  /** Invariant 5. */
  close(): void {
    this.#isClosed = this.#isLasting;
  }

  get working(): number {
    return [...this.#all.values()].filter(({ startedAt }) => startedAt !== null).length;
  }

  /** In the order of arrival. */
  get waiting(): readonly QueuedRun[] {
    return [...this.#all.values()]
      .filter(({ startedAt }) => startedAt === null)
      .map(({ queued }) => queued);
  }

  /** Runs for which a process was started; it may not have opened its run yet. */
  get started(): readonly QueuedRun[] {
    return [...this.#all.values()]
      .filter(({ startedAt }) => startedAt !== null)
      .map(({ queued }) => queued);
  }

  has(run: string): boolean {
    return this.#all.has(run);
  }

  /**
   * True if the process that was started for a run has still to open it.
   * @param lastAt the time of the run's last record
   */
  isOpening(run: string, lastAt: number): boolean {
    const startedAt = this.#all.get(run)?.startedAt ?? null;
    return startedAt !== null && lastAt <= startedAt;
  }

  /** Absolute real path; `null`: it was not requested here. */
  folderOf(run: string): string | null {
    const queued =
      this.#all.get(run)?.queued ?? this.early.unrecorded.find((one) => one.run === run);
    return queued?.workspace ?? null;
  }

  /** How many runs go before it; `null`: it does not wait. */
  placeOf(run: string): number | null {
    const at = this.waiting.findIndex((queued) => queued.run === run);
    return at < 0 ? null : at;
  }

  add(queued: QueuedRun): void {
    const hint = 'Wait for some of them.';
    if (this.waiting.length >= MAX_WAITING)
      throw new ServerRefusal('E_TOO_MANY', 'Too many runs wait already.', hint);
    const before = this.#all.get(queued.run);
    if (before !== undefined && before.startedAt !== null) {
      this.#keep(queued, 'next');
      before.next = queued;
      return;
    }
    this.early.forget(queued.run);
    this.#keep(queued, 'json');
    this.#wait(queued);
    this.poll();
  }

  /** Invariant 1. */
  #keep(queued: QueuedRun, ending: 'json' | 'next'): void {
    const { identity, clock } = this.#place;
    const server = ownerNow(identity, clock.now());
    const kept = { ...queued, server, ...(this.#isLasting ? {} : { needsServer: true as const }) };
    this.#files.write(kept, ending);
  }

  #wait(queued: QueuedRun): void {
    this.#files.discard(queued.run, 'out', 'err', 'failed');
    this.#all.set(queued.run, { queued, startedAt: null });
  }

  /**
   * Queues a request that was accepted before, so it is not counted as waiting. Its time comes after the
   * former process.
   */
  #takeNext(next: QueuedRun): void {
    const queued = { ...next, at: this.#place.clock.now() };
    this.#keep(queued, 'json');
    this.#files.discard(next.run, 'next');
    this.#wait(queued);
  }

  /** Removes a waiting run; false if it does not wait. */
  drop(run: string): boolean {
    const entry = this.#all.get(run);
    if (entry === undefined || this.#isStarted(run, entry)) return false;
    this.#all.delete(run);
    this.#files.discard(run, 'json');
    return true;
  }

  /** Starts the runs that can start. Called repeatedly. */
  poll(): void {
    if (this.#isClosed) return;
    const { clock, maxRuns } = this.#place;
    this.#seeBegun();
    for (const [run, entry] of this.#all)
      if (this.#isStarted(run, entry) && this.#hasGone(run, entry)) this.#end(run, UNSEEN);
    for (const entry of this.#all.values()) {
      if (entry.startedAt !== null || this.working >= maxRuns) continue;
      if (this.#isTaken(entry.queued.workspace)) continue;
      entry.startedAt = clock.now();
      entry.lookAt = clock.monotonic() + START_MS;
      this.#launch(entry);
    }
  }

  /** Notes which runs have begun, by their processes' notes: after a run's end its journal may be gone. */
  #seeBegun(): void {
    const all = [...this.#all.values()];
    const starting = all.filter((one) => one.startedAt !== null && one.isBegun !== true);
    if (starting.length === 0) return;
    const atWork = new Set(this.#place.live.all().map(({ run }) => run));
    for (const one of starting) if (atWork.has(one.queued.run)) one.isBegun = true;
  }

  /** Also notices a process that an earlier server started and that has claimed the request since. */
  #isStarted(run: string, entry: Waiting): boolean {
    const mayHave = entry.startedAt === null && entry.isLeft === true;
    if (mayHave && (this.#files.isClaimed(run) || this.#files.isDone(run)))
      entry.startedAt = entry.queued.at;
    return entry.startedAt !== null;
  }

  /** True if the run's process has gone, or never came. */
  #hasGone(run: string, entry: Waiting): boolean {
    const now = this.#place.clock.monotonic();
    const isDue = now >= (entry.lookAt ?? now);
    if (isDue) entry.lookAt = now + LOOK_MS;
    return (isDue && !this.#files.isClaimed(run)) || this.#files.isDone(run);
  }

  #launch(entry: Waiting): void {
    const { run, workspace } = entry.queued;
    const file = (ending: 'json' | 'out' | 'err'): string => this.#files.of(run, ending);
    try {
      if (!mayWorkIn(this.#place, workspace)) throw new Error(`${workspace} leads elsewhere now`);
      this.#place.launch({
        file: file('json'),
        workspace,
        out: file('out'),
        err: file('err'),
        ended: (end) => {
          if (this.#isClosed) return;
          // A process from an earlier server may work on the run: then a second process ends at once.
          if (this.#all.get(run) === entry && !this.#files.isClaimed(run)) this.#end(run, end);
          this.poll();
        },
      });
    } catch (error) {
      this.#place.keepError(error);
      this.#end(run, { ...UNSEEN, error: error as Error });
    }
    this.#changed(run);
  }

  #end(run: string, end: ProcessEnd): void {
    const { queued, next, startedAt = null, isBegun } = this.#all.get(run) ?? {};
    this.#all.delete(run);
    const endedAt = this.#place.clock.now();
    const mayBeGone = queued !== undefined && (queued.goal !== null || isBegun === true);
    const isRecorded = !mayBeGone || this.#isThere(queued);
    if (isRecorded && queued?.goal === null && startedAt !== null && next === undefined)
      this.early.resumed(run, end, { startedAt, endedAt });
    if (isRecorded) this.early.ended(run, end, endedAt);
    const lost = isRecorded ? null : { ...queued, ...(isBegun ? { isGone: isBegun } : {}) };
    const failure = lost === null ? '' : this.early.leftNoRecord(lost, end);
    this.#safely(() => {
      if (next !== undefined) return this.#takeNext(next);
      this.#files.discardOwn(run);
      if (lost !== null) this.#files.fail(lost, failure);
    });
    this.#changed(run);
  }

  /** Invariant 3. */
  #safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#place.keepError(error);
    }
  }

  /** Whether a run works in a folder, begun here or elsewhere. */
  #isTaken(workspace: string): boolean {
    const isOurs = [...this.#all.values()].some(
      ({ queued, startedAt }) => startedAt !== null && queued.workspace === workspace,
    );
    // The process itself will report what is wrong with the folder.
    return isOurs || orNull(() => this.#place.engine.lockOwner(workspace))?.isAlive === true;
  }

  /**
   * Takes up the requests of servers that have gone: those that somebody works on, and those that have not started.
   */
  #recover(): void {
    for (const one of this.#files.all()) this.#safely(() => this.#takeUp(one));
    this.early.recover((run) => this.#all.has(run));
  }

  #takeUp({ queued, next }: Pick<Waiting, 'queued' | 'next'>): void {
    const { identity } = this.#place;
    if ([queued, next].some((one) => one !== undefined && isOfOther(one, identity))) return;
    // A server with other roots accepted the request, so it is left for such a server.
    const isHere = mayWorkIn(this.#place, queued.workspace);
    if (isHere && next !== undefined) this.#keep(next, 'next');
    if (this.#files.isClaimed(queued.run)) {
      const { at: startedAt } = queued;
      this.#all.set(queued.run, { queued, startedAt, next: isHere ? next : undefined });
    } else if (queued.needsServer === true) this.#files.discard(queued.run, 'json');
    else if (!isHere) return;
    else if (next !== undefined) this.#takeNext(next);
    else if (this.#wasBegun(queued)) this.#files.discard(queued.run, 'json');
    else {
      this.#keep(queued, 'json');
      this.#all.set(queued.run, { queued, startedAt: null, isLeft: true });
    }
  }

  /** A killed run is not continued automatically; it is shown as killed. */
  #wasBegun(queued: QueuedRun): boolean {
    return this.#isThere(queued, queued.goal === null ? queued.at : 0);
  }

  /** True if the run's journal has a record after this time. */
  #isThere({ workspace, run }: QueuedRun, after = 0): boolean {
    const runs = orNull(() => this.#place.engine.listRuns(workspace)) ?? [];
    return runs.some(({ id, lastAt }) => id === run && lastAt > after);
  }
}
