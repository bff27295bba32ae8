/**
 * Finds lines by a pattern.
 * 1. A regular expression that nobody has reviewed runs in a separate thread, which is terminated at its
 *    deadline or when the run is cancelled. So it always ends, whatever the expression and text.
 * 2. Plain text is searched here, in time proportional to the text.
 */
import type { Worker } from 'node:worker_threads';

export interface LineMatch {
  /** The index of the text. */
  readonly text: number;
  /** The line number, from 1. */
  readonly line: number;
  readonly content: string;
  /** The position in the line. */
  readonly at: number;
}

export type Matched =
  | { readonly kind: 'matched'; readonly matches: readonly LineMatch[] }
  /** The search was terminated, or was too large for the machine. */
  | { readonly kind: 'too_slow' };

export interface Matcher {
  /** The first `most` matching lines of the texts. */
  match(texts: readonly string[], most: number): Promise<Matched>;
  close(): Promise<void>;
}

/** Plain text within one line. */
export function textMatcher(wanted: string, ignoresCase: boolean): Matcher {
  const source = wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = new RegExp(source, ignoresCase ? 'i' : '');
  return {
    match: async (texts, most) => {
      const matches: LineMatch[] = [];
      for (const [index, text] of texts.entries()) {
        if (!pattern.test(text)) continue;
        for (const [line, content] of text.split(/\r\n|\n|\r/).entries()) {
          const at = content.search(pattern);
          if (at < 0) continue;
          matches.push({ text: index, line: line + 1, content, at });
          if (matches.length === most) return { kind: 'matched', matches };
        }
      }
      return { kind: 'matched', matches };
    },
    close: async () => {},
  };
}

/** The thread's program as text, so that no separate file is needed beside the main program. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', ({ texts, most }) => {
  const found = [];
  try {
    for (let text = 0; text < texts.length && found.length < most; text += 1) {
      const lines = texts[text].split(/\\r\\n|\\n|\\r/);
      for (let line = 0; line < lines.length && found.length < most; line += 1) {
        const match = pattern.exec(lines[line]);
        if (match) found.push({ text, line: line + 1, content: lines[line], at: match.index });
      }
    }
    parentPort.postMessage(found);
  } catch {
    parentPort.postMessage(null);
  }
});
`;

const MEMORY_MB = 256;
const START_MS = 20_000;

/** @param limitMs for one call of `match` */
export async function patternMatcher(
  { source, flags }: RegExp,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<Matcher> {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(THREAD, {
    eval: true,
    workerData: { source, flags },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  worker.unref();
  // The start of the worker does not count towards the limit.
  await nextMessage(worker, 'online', { limitMs: START_MS, signal });
  return {
    match: async (texts, most) => {
      worker.postMessage({ texts, most });
      const matches = await nextMessage(worker, 'message', { limitMs, signal });
      return matches === null
        ? { kind: 'too_slow' }
        : { kind: 'matched', matches: matches as readonly LineMatch[] };
    },
    close: async () => void (await worker.terminate()),
  };
}

/** The thread's next message; `null` if it sends none in time, or is gone. */
function nextMessage(
  worker: Worker,
  event: 'online' | 'message',
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<unknown> {
  return new Promise((resolve) => {
    const answer = (said: unknown): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      worker.off(event, answer).off('error', stop).off('exit', stop);
      resolve(said);
    };
    const stop = (): void => answer(null);
    const timer = setTimeout(stop, limitMs);
    signal.addEventListener('abort', stop, { once: true });
    worker.once(event, answer).once('error', stop).once('exit', stop);
  });
}
