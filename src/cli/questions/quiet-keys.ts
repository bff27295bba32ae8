/** Keys that may answer a question: one counts only after a while of quiet, so that what was typed before does not. */
import type { Terminal } from '../process/terminal.ts';

/** Since the question was drawn, or since the key before. */
export const QUIET_MS = 350;

/** Returns the function that ends it. */
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
