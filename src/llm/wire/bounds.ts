// Pure: how large an answer may be, whoever sends it: far more than any model sends, and less than harms this machine.
import { invalidAnswer, type ProviderError } from '../provider.ts';

const MB = 1024 * 1024;

export const BOUNDS = {
  /** Characters of an answer's text; the same limit applies to the arguments of its calls. */
  text: 500_000,
  thinking: 1_000_000,
  /** Calls in one answer. */
  calls: 128,
  /** Characters of one line, or one event, of a stream. */
  line: 8 * MB,
  /** Bytes of a stream, including what its server wraps around each word. */
  stream: 128 * MB,
  /** Bytes of an answer that arrives as a whole: a list of models, an answer that was not streamed. */
  body: 16 * MB,
  /** Bytes of a refusal that are read; the rest is ignored. */
  refusal: 64 * 1024,
} as const;

/** An answer that had to be ended, and on which nothing can act. */
export const answerTooLarge = (what: string): ProviderError =>
  invalidAnswer(
    `${what}; the answer was ended there.`,
    'Ask another model, or look at what the server sends.',
  );

export const tooManyCalls = (): string =>
  `The answer holds more than ${BOUNDS.calls} calls and was ended there.`;

/** `8 MB`, `64 kB` */
export const limitText = (bytes: number): string =>
  bytes >= MB ? `${bytes / MB} MB` : `${bytes / 1024} kB`;

/** The pieces as they arrive. Throws a `ProviderError` as soon as they exceed `most` bytes. */
export async function* atMost(
  pieces: AsyncIterable<Uint8Array>,
  most: number = BOUNDS.stream,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > most) throw answerTooLarge(`The answer is larger than ${limitText(most)}`);
    yield piece;
  }
}
