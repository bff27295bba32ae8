// Distinguishes JSON strings from the text around them, in one pass.

/** Rebuilds the text, changing its strings and the rest with separate functions. */
export function mapParts(
  text: string,
  inString: (literal: string) => string,
  outside: (code: string) => string,
): string {
  const parts: string[] = [];
  let position = 0;
  while (position < text.length) {
    const quote = text.indexOf('"', position);
    const end = quote < 0 ? -1 : endOfString(text, quote);
    if (end < 0) break;
    parts.push(outside(text.slice(position, quote)), inString(text.slice(quote, end)));
    position = end;
  }
  parts.push(outside(text.slice(position)));
  return parts.join('');
}

/** The position after the closing quote of the string that opens at `start`; -1 if there is none. */
export function endOfString(text: string, start: number): number {
  const quote = text[start];
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === quote) return index + 1;
  }
  return -1;
}
