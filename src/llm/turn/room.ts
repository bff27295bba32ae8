// How much of an answer is taken: what is longer than any answer is cut off, and said.
import { BOUNDS, tooManyCalls } from '../wire/bounds.ts';

const longer = (what: string, characters: number): string =>
  `${what} longer than ${characters.toLocaleString('en')} characters; the answer was ended there.`;

const TOO_LONG = {
  text: longer('The text of the answer is', BOUNDS.text),
  thinking: longer('The thinking of the model is', BOUNDS.thinking),
  /** Arguments as they stream, and the same once all of a call is here. */
  pieces: longer('The arguments of the calls are', BOUNDS.text),
  calls: longer('The arguments of the calls are', BOUNDS.text),
};

export interface Room {
  /** As much of a piece as there is room for. */
  take(kind: keyof typeof TOO_LONG, piece: string): string;
  /** One more call; `begun` while its arguments still come. */
  count(kind: 'begun' | 'whole'): void;
  /** What there was too much of, or `null`. */
  problem(): string | null;
}

export function answerRoom(): Room {
  const left: Record<keyof typeof TOO_LONG, number> = {
    ...{ text: BOUNDS.text, thinking: BOUNDS.thinking },
    ...{ pieces: BOUNDS.text, calls: BOUNDS.text },
  };
  const calls = { begun: 0, whole: 0 };
  let problem: string | null = null;
  return {
    take(kind, piece) {
      const taken = piece.slice(0, left[kind]);
      left[kind] -= taken.length;
      if (taken.length < piece.length) problem ??= TOO_LONG[kind];
      return taken;
    },
    count(kind) {
      calls[kind] += 1;
      if (calls[kind] > BOUNDS.calls) problem ??= tooManyCalls();
    },
    problem: () => problem,
  };
}
