import type { Clock } from '../../lib/clock.ts';

/** Pauses that end early once something is known to have changed, even if that was before the pause. For one who pauses. */
export class Wakes {
  #woken = new AbortController();

  wake(): void {
    this.#woken.abort();
  }

  /** Never rejects. */
  async pause(clock: Pick<Clock, 'sleep'>, ms: number, ...ends: AbortSignal[]): Promise<void> {
    const { signal } = this.#woken;
    await clock.sleep(ms, AbortSignal.any([signal, ...ends])).catch(() => {});
    if (signal.aborted) this.#woken = new AbortController();
  }
}
