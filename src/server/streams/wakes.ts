import type { Clock } from '../../lib/clock.ts';

/**
 * Pauses, for one caller, that end early once something is known to have changed, even if that was before the
 * pause.
 */
export class Wakes {
  #isWoken = false;
  #end: () => void = () => {};

  wake(): void {
    this.#isWoken = true;
    this.#end();
  }

  /** Never rejects. */
  async pause(clock: Pick<Clock, 'sleep'>, ms: number, ...ends: AbortSignal[]): Promise<void> {
    const over = new AbortController();
    const end = (): void => over.abort();
    this.#end = end;
    // At each pause, `AbortSignal.any` would leave an entry in long-lived signals.
    for (const signal of ends) signal.addEventListener('abort', end);
    if (this.#isWoken || ends.some(({ aborted }) => aborted)) end();
    await clock.sleep(ms, over.signal).catch(() => {});
    for (const signal of ends) signal.removeEventListener('abort', end);
    this.#isWoken = false;
  }
}
