// How large an answer may be, whoever sends it: far more than any model says, and less than harms
// the machine it is read on; pure.
import { ProviderError } from '../provider.ts';

const MB = 1024 * 1024;

export const BOUNDS = {
  /** Characters of an answer's text; the same of the arguments of its calls. */
  text: 500_000,
  thinking: 1_000_000,
  /** Calls in one answer. */
  calls: 128,
  /** Characters of one line, or one event, of a stream. */
  line: 8 * MB,
  /** Bytes of a stream, with all that its server wraps around each word. */
  stream: 128 * MB,
  /** Bytes of an answer that comes whole: a list of models, an answer that was not streamed. */
  body: 16 * MB,
  /** Bytes of a refusal that are read; what comes behind them is left. */
  refusal: 64 * 1024,
} as const;

/** An answer that had to be ended: it is no answer that could be acted on. */
export const tooLarge = (what: string): ProviderError =>
  new ProviderError(
    { kind: 'invalid_response' },
    `${what}; the answer was ended there.`,
    'Ask another model, or look at what the server sends.',
  );

export const tooManyCalls = (): string =>
  `The answer holds more than ${BOUNDS.calls} calls and was ended there.`;

/** `8 MB`, `64 kB` */
export const sizeText = (bytes: number): string =>
  bytes >= MB ? `${bytes / MB} MB` : `${bytes / 1024} kB`;

/** The pieces as they come. Throws a `ProviderError` as soon as they have more than `most` bytes. */
export async function* atMost(
  pieces: AsyncIterable<Uint8Array>,
  most: number = BOUNDS.stream,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > most) throw tooLarge(`The answer is larger than ${sizeText(most)}`);
    yield piece;
  }
}
