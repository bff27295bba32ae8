import type { TokenId, Tokenizer } from './engine-api.ts';

/** The tokens before the next one that suffice to know its spacing. */
const LOOK_BACK = 32;
/** A character never takes more tokens than it has bytes. */
const LONGEST_CHARACTER = 4;

/** Turns tokens into text as they arrive; an incomplete character waits for its rest. */
export function textAssembler(
  tokenizer: Pick<Tokenizer, 'detokenize'>,
  before: readonly TokenId[],
): { add(token: TokenId): string; end(): string; whole(): string } {
  let done: readonly TokenId[] = before.slice(-LOOK_BACK);
  let waiting: TokenId[] = [];
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
