/**
 * How much the holder of one token may request, so that one program cannot keep the server from all others.
 *
 * 1. A hundred requests per second; after a pause at most twice as many at once.
 * 2. Fifty streams at a time; twenty of one run if the token may only observe.
 */
import type { Clock } from '../../lib/clock.ts';
import { ServerRefusal } from './problem.ts';
import type { Holder } from './tokens.ts';

const A_SECOND = 100;
const AT_ONCE = 200;
const MAX_STREAMS = 50;
const MAX_OF_A_RUN = 20;
/** A holder that has asked for nothing this long starts afresh. */
const FORGOTTEN_MS = 60_000;

interface Asked {
  left: number;
  at: number;
  /** The path of each open stream. */
  readonly streams: string[];
}

export class RequestLimits {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #asked = new Map<string, Asked>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Counts one request. Throws if it is one too many. */
  count({ name, isOwn }: Omit<Holder, 'rights'>): void {
    if (isOwn) return;
    const asked = this.#of(name);
    if (asked.left < 1)
      throw new ServerRefusal(
        'E_TOO_MANY',
        `More than ${A_SECOND} requests a second came.`,
        'Follow a stream instead of asking again and again.',
      );
    asked.left -= 1;
  }

  /** Counts one stream. Throws if it is one too many. @returns a function that releases it */
  open({ name, rights, isOwn }: Holder, path: string): () => void {
    if (isOwn) return () => {};
    const { streams } = this.#of(name);
    const ofThis = streams.filter((one) => one === path).length;
    if (streams.length >= MAX_STREAMS) throw tooMany(`This token has ${MAX_STREAMS} streams open.`);
    if (ofThis >= MAX_OF_A_RUN && !rights.includes('work'))
      throw tooMany(`This token has ${MAX_OF_A_RUN} streams of that open.`);
    streams.push(path);
    return () => {
      const at = streams.indexOf(path);
      if (at >= 0) streams.splice(at, 1);
    };
  }

  #of(name: string): Asked {
    const now = this.#clock.monotonic();
    for (const [other, { at, streams }] of this.#asked)
      if (now - at > FORGOTTEN_MS && streams.length === 0) this.#asked.delete(other);
    const before = this.#asked.get(name) ?? { left: AT_ONCE, at: now, streams: [] };
    const left = Math.min(AT_ONCE, before.left + ((now - before.at) * A_SECOND) / 1000);
    const asked = Object.assign(before, { left, at: now });
    this.#asked.set(name, asked);
    return asked;
  }
}

const tooMany = (words: string): ServerRefusal =>
  new ServerRefusal('E_TOO_MANY', words, 'Close one of them, or use another link.');
