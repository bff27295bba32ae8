/**
 * Slices of runs in this process. Owns the runs that are open between two slices.
 *
 * 1. Calls about one run are carried out one after another.
 * 2. A run whose caller has gone is released: current work gets a moment to finish, then it is ended.
 * 3. A waiting run is held by nobody.
 */
import type { OwnedRun } from '../agent.ts';
import type { Clock } from '../lib/clock.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { RunState } from '../schema/state.ts';
import type { FleetAnswer, FleetRequest, Slice, Slices } from './contract.ts';
import { ORPHANED } from './messages.ts';
import { sliceOfError, sliceOfResult } from './slice-of.ts';

export interface SlicePorts {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** @param signal aborted: current work ends at once. Throws what opening a run throws. */
  open(request: FleetRequest, signal: AbortSignal): Promise<OwnedRun>;
  answer(request: FleetRequest, answer: FleetAnswer): Promise<string | null>;
  readonly mostOpen: number;
  /** Milliseconds: a slice that would be shorter continues, since handing it out costs as much as its work. */
  readonly leastMs: number;
}

const SLICE_MS = 5000;
/** At the end of a slice, parallel subtasks wait for the slowest, so their slices are longer. */
const TOGETHER_MS = 30_000;
/** The time for current work to finish once nobody waits for it. */
const GRACE_MS = 5000;
/** The shorter time, if another worker tries to continue the run. */
const ORPHANS_MS = 1500;
/** A shorter wait does not end the slice. */
const SHORT_WAIT_MS = 250;

interface Open {
  readonly active: OwnedRun;
  readonly stop: AbortController;
}

export class OpenRuns implements Slices {
  readonly #ports: SlicePorts;
  readonly #runs = new Map<string, Open>();
  /** The abort controllers of runs that are being opened. */
  readonly #opening = new Map<string, AbortController>();
  readonly #rows = new Map<string, Promise<unknown>>();

  constructor(ports: SlicePorts) {
    this.#ports = ports;
  }

  advance(request: FleetRequest, signal: AbortSignal): Promise<Slice> {
    return this.#inARow(request.run, () => this.#advance(request, signal));
  }

  answer(request: FleetRequest, answer: FleetAnswer): Promise<string | null> {
    return this.#ports.answer(request, answer);
  }

  async pause(run: string): Promise<void> {
    (this.#runs.get(run)?.stop ?? this.#opening.get(run))?.abort(STOPPED);
    await this.#inARow(run, async () => {
      // The step that was stopped has its outcome; the next step is the pause.
      const held = this.#runs.get(run);
      held?.stop.abort(STOPPED);
      if (held?.active.result === null) await held.active.takeStep();
      await this.#close(run);
    });
  }

  release(run: string): Promise<void> {
    return this.#inARow(run, () => this.#close(run));
  }

  /** Invariant 1. */
  #inARow<Result>(run: string, act: () => Promise<Result>): Promise<Result> {
    const before = this.#rows.get(run) ?? Promise.resolve();
    const mine = before.then(act, act);
    const settled = mine
      .catch(() => {})
      .then(() => {
        if (this.#rows.get(run) === settled) this.#rows.delete(run);
      });
    this.#rows.set(run, settled);
    return mine;
  }

  async #advance(request: FleetRequest, signal: AbortSignal): Promise<Slice> {
    if (signal.aborted) throw noLonger();
    const { clock } = this.#ports;
    const stop = this.#runs.get(request.run)?.stop ?? new AbortController();
    let slice: Slice;
    try {
      slice = await patiently(stop, signal, clock, async () => {
        const { active } = await this.#opened(request, stop);
        return sliceOf(active, { ...this.#ports, signal });
      });
    } catch (error) {
      // The error that stopped the run says more than a failure to close it.
      await this.#close(request.run).catch(() => {});
      slice = sliceOfError(error);
    }
    if (slice.is === 'going_on' && !signal.aborted) return slice;
    // A run whose outcome could not be stored has not ended.
    return this.#close(request.run).then(() => slice, sliceOfError);
  }

  async #opened(request: FleetRequest, stop: AbortController): Promise<Open> {
    const before = this.#runs.get(request.run);
    if (before !== undefined) {
      // The run used last is released last.
      this.#runs.delete(request.run);
      this.#runs.set(request.run, before);
      return before;
    }
    this.#opening.set(request.run, stop);
    try {
      await this.#makeRoom();
      const held = { active: await this.#ports.open(request, stop.signal), stop };
      this.#runs.set(request.run, held);
      return held;
    } finally {
      this.#opening.delete(request.run);
    }
  }

  async #makeRoom(): Promise<void> {
    for (const run of this.#runs.keys()) {
      if (this.#runs.size < this.#ports.mostOpen) return;
      if (!this.#rows.has(run)) await this.#close(run);
    }
  }

  async #close(run: string): Promise<void> {
    const held = this.#runs.get(run);
    this.#runs.delete(run);
    await held?.active.close();
  }
}

/** Why it pauses, in the words of the pause. */
const STOPPED = Object.assign(new Error('cancelled in the fleet'), { name: 'Interruption' });

const noLonger = (): TardigradeError =>
  new TardigradeError('E_INTERRUPTED', 'Nobody waits for this slice any more.', 'Ask again.');

/** Invariant 2. */
async function patiently<Result>(
  stop: AbortController,
  signal: AbortSignal,
  clock: SlicePorts['clock'],
  act: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  const giveUp = (): void => {
    const ms = signal.reason === ORPHANED ? ORPHANS_MS : GRACE_MS;
    clock.sleep(ms, done.signal).then(
      () => stop.abort(noLonger()),
      () => {},
    );
  };
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await act();
  } finally {
    signal.removeEventListener('abort', giveUp);
    done.abort();
  }
}

async function sliceOf(
  active: OwnedRun,
  {
    clock,
    leastMs,
    signal,
  }: Pick<SlicePorts, 'clock' | 'leastMs'> & { readonly signal: AbortSignal },
): Promise<Slice> {
  if (active.result !== null) return sliceOfResult(active.result);
  const began = clock.monotonic();
  const before = doneIn(active.state());
  const isDue = () => signal.aborted || clock.monotonic() - began >= TOGETHER_MS;
  for (;;) {
    const waitMs = active.waitMs();
    const { seq } = active.state();
    if (signal.aborted) return { is: 'going_on', seq };
    if (waitMs > SHORT_WAIT_MS)
      return { is: 'pausing', seq, why: 'retry', detail: '', retryAfterMs: waitMs };
    const result = await active.takeStep(isDue);
    if (result !== null) return sliceOfResult(result);
    const state = active.state();
    const most = doneIn(state) > before ? leastMs : SLICE_MS;
    if (clock.monotonic() - began >= most) return { is: 'going_on', seq: state.seq };
  }
}

const doneIn = ({ counters }: RunState): number => counters.turns + counters.actions;
