// The deadlines of a turn, on the injected clock; the provider itself limits connecting.
import type { Clock } from '../../lib/clock.ts';
import type { TurnEnding } from './ending.ts';

/** All in milliseconds. */
export interface Deadlines {
  /** The time until a connection is established, before anything is sent. */
  readonly connectMs: number;
  /** The time until the first event: loading a 20B model and reading a long prompt on a laptop. */
  readonly firstEventMs: number;
  /** Between events: while a model writes long tool arguments, a server may send nothing at all. */
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface DeadlineWatch {
  /** Resolves when a deadline has passed; never otherwise. */
  readonly expired: Promise<TurnEnding>;
  received(): void;
}

/** Starts counting at once; ends quietly when `stop` is aborted. */
export function watchDeadlines(
  clock: Clock,
  deadlines: Deadlines,
  stop: AbortSignal,
): DeadlineWatch {
  const start = clock.monotonic();
  let lastHeard: number | null = null;

  const nearest = () => {
    const after = (from: number, ms: number, what: string) => ({ at: from + ms, ms, what });
    const total = after(start, deadlines.totalMs, 'is not done after');
    const silence =
      lastHeard === null
        ? after(start, deadlines.firstEventMs, 'has said nothing for')
        : after(lastHeard, deadlines.idleMs, 'stopped responding for');
    return silence.at < total.at ? silence : total;
  };

  const expire = async (): Promise<TurnEnding> => {
    for (;;) {
      const { at, what, ms } = nearest();
      const left = at - clock.monotonic();
      if (left <= 0)
        return { status: { kind: 'timeout' }, detail: `The model ${what} ${ms / 1000} s.` };
      // An event brings the deadline nearer, though never within `idleMs` of now.
      await clock.sleep(Math.min(left, deadlines.idleMs), stop);
    }
  };

  const expired = new Promise<TurnEnding>((resolve, reject) => {
    expire().then(resolve, (error: unknown) => {
      if (!stop.aborted) reject(error);
    });
  });
  return {
    expired,
    received: () => {
      lastHeard = clock.monotonic();
    },
  };
}
