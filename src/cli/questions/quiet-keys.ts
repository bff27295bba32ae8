/** Keys that may answer a question. A key counts only after a quiet time, so that earlier typing does not answer. */
import type { Terminal } from '../process/terminal.ts';

/** Milliseconds since the question was drawn, or since the previous key. */
export const QUIET_MS = 350;

/** `n`, Enter and Escape. */
export const REFUSING_KEYS: ReadonlySet<string> = new Set(['n', '\r', '\n', '\u001b']);

/**
 * The key of an input. A slow line may bring a key together with the Enter after it: the person typed both to
 * send the key.
 */
export const pressedKey = (key: string): string => /^(\P{Cc})[\r\n]+$/u.exec(key)?.[1] ?? key;

/** Returns the function that ends the listening. */
export function quietKeys(
  { clock, keys }: Pick<Terminal, 'clock' | 'keys'>,
  onKey: (key: string, isQuiet: boolean) => void,
): () => void {
  let quietSince = clock.monotonic();
  const stop = keys?.((key) => {
    const now = clock.monotonic();
    const isQuiet = now - quietSince >= QUIET_MS;
    quietSince = now;
    onKey(key, isQuiet);
  });
  return () => stop?.();
}

/**
 * The answer; `null` if the signal is aborted first.
 * @param listen returns a function that ends the listening
 */
export function untilSettled<Value>(
  signal: AbortSignal,
  listen: (settle: (value: Value | null) => void) => () => void,
): Promise<Value | null> {
  return new Promise((resolve) => {
    const settle = (value: Value | null): void => {
      stop();
      signal.removeEventListener('abort', onAbort);
      resolve(value);
    };
    const onAbort = (): void => settle(null);
    const stop = listen(settle);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
