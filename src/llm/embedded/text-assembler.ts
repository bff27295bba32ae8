import type { Token, Tokenizer } from './engine-api.ts';

/** Tokens come before them are enough to know how the next one is spaced. */
const LOOK_BACK = 32;
/** A character never takes more tokens than it has bytes. */
const LONGEST_CHARACTER = 4;

/** Turns tokens into text as they come; half a character waits for its other half. */
export function textAssembler(
  tokenizer: Pick<Tokenizer, 'detokenize'>,
  before: readonly Token[],
): { add(token: Token): string; end(): string; whole(): string } {
  let done: readonly Token[] = before.slice(-LOOK_BACK);
  let waiting: Token[] = [];
  let whole = '';
  const flush = (): string => {
    const text = tokenizer.detokenize(waiting, false, done);
    done = [...done, ...waiting].slice(-LOOK_BACK);
    waiting = [];
    whole += text;
    return text;
  };
  return {
    add: (token) => {
      waiting.push(token);
      const text = tokenizer.detokenize(waiting, false, done);
      const isHalf = text.endsWith('\ufffd') && waiting.length < LONGEST_CHARACTER;
      return isHalf ? '' : flush();
    },
    end: () => (waiting.length > 0 ? flush() : ''),
    whole: () => whole,
  };
}
