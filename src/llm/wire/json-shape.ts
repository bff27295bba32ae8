// Whether JSON that arrives in pieces may be complete; each character is checked once.

export interface JsonShape {
  add(piece: string): void;
  /** False while a bracket or a string is open, and after a complete value. */
  mayBeWhole(): boolean;
}

/** Numbers and words, which no bracket ends, are limited by their length. */
const LONGEST_WORD = 400;

export function jsonShape(): JsonShape {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isClosed = false;
  let isTooMuch = false;
  let length = 0;
  const take = (character: string): void => {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (character === '\\') isEscaped = true;
      else if (character === '"') {
        isInString = false;
        isClosed = depth === 0;
      }
      return;
    }
    if (/\s/.test(character)) return;
    isTooMuch ||= isClosed;
    length += 1;
    if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      isClosed = depth <= 0;
    }
  };
  return {
    add(piece) {
      for (let index = 0; index < piece.length && !isTooMuch; index += 1) take(piece[index] ?? '');
    },
    mayBeWhole: () =>
      !isTooMuch && !isInString && depth <= 0 && (isClosed || length <= LONGEST_WORD),
  };
}
