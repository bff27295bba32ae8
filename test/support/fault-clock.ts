import type { Clock } from '../../src/lib/clock.ts';

/** Milliseconds: what is longer is a deadline. */
const LONGEST_WAIT_MS = 100_000;

/** Waits between attempts take no time but are counted; deadlines pass when the test says so. */
export class FaultClock implements Clock {
  time = 0;
  readonly waited: number[] = [];
  onWait: (time: number) => Promise<void> = () => Promise.resolve();
  private sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  now = (): number => 1_700_000_000_000 + this.time;
  monotonic = (): number => this.time;

  sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    if (ms <= LONGEST_WAIT_MS) {
      this.waited.push(ms);
      this.time += ms;
      return this.onWait(this.time);
    }
    await new Promise<void>((resolve, reject) => {
      this.sleepers.push({ at: this.time + ms, wake: resolve });
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };

  advance(ms: number): void {
    this.time += ms;
    const due = this.sleepers.filter(({ at }) => at <= this.time);
    this.sleepers = this.sleepers.filter(({ at }) => at > this.time);
    for (const { wake } of due) wake();
  }
}
