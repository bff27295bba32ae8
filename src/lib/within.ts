import type { Clock } from './clock.ts';

/** Waits for `promise` at most `ms` milliseconds; `null` after that. */
export async function within<Value>(
  promise: Promise<Value>,
  ms: number,
  clock: Pick<Clock, 'sleep'>,
): Promise<Value | null> {
  const wait = new AbortController();
  const late = clock.sleep(ms, wait.signal).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    wait.abort();
  }
}
