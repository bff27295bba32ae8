// Splits a long text into numbered rows, so that parts of it can be requested. Pure.

/** A longer line counts as several rows. */
const MAX_ROW = 2000;

/** The text's lines; each longer one is split into rows. */
export function searchRows(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.length <= MAX_ROW ? [line] : lineParts(line)));
}

function lineParts(line: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  while (from < line.length) {
    const end = wholeCharacter(line, Math.min(line.length, from + MAX_ROW));
    pieces.push(line.slice(from, end));
    from = end;
  }
  return pieces;
}

/** Moves a position that would split a surrogate pair. */
export function wholeCharacter(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position - 1 : position;
}
