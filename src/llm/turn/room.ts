// How much of an answer is accepted: a longer one is cut off, and the result says so.
import { BOUNDS, tooManyCalls } from '../wire/bounds.ts';

/** `pieces` are arguments as they stream, `calls` the same arguments once the call is complete. */
const MAX = {
  text: { what: 'The text of the answer is', characters: BOUNDS.text },
  thinking: { what: 'The thinking of the model is', characters: BOUNDS.thinking },
  pieces: { what: 'The arguments of the calls are', characters: BOUNDS.text },
  calls: { what: 'The arguments of the calls are', characters: BOUNDS.text },
};

/** Created on demand: formatting figures takes long to set up. */
function tooLong(kind: keyof typeof MAX): string {
  const { what, characters } = MAX[kind];
  return `${what} longer than ${characters.toLocaleString('en')} characters; the answer was ended there.`;
}

export interface Room {
  /** As much of a piece as there is room for. */
  take(kind: keyof typeof MAX, piece: string): string;
  /** Counts one more call; `begun` while its arguments still arrive. */
  count(kind: 'begun' | 'whole'): void;
  /** What exceeded the limit, or `null`. */
  problem(): string | null;
}

export function answerRoom(): Room {
  const left: Record<keyof typeof MAX, number> = {
    text: BOUNDS.text,
    thinking: BOUNDS.thinking,
    pieces: BOUNDS.text,
    calls: BOUNDS.text,
  };
  const calls = { begun: 0, whole: 0 };
  let problem: string | null = null;
  return {
    take(kind, piece) {
      const taken = piece.slice(0, left[kind]);
      left[kind] -= taken.length;
      if (taken.length < piece.length) problem ??= tooLong(kind);
      return taken;
    },
    count(kind) {
      calls[kind] += 1;
      if (calls[kind] > BOUNDS.calls) problem ??= tooManyCalls();
    },
    problem: () => problem,
  };
}
