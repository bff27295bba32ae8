/** What a document says: its sections, and names that nothing stands behind. */
import { linesOf } from '../look.ts';

/** The text below a heading (any level, or a line that ends in a colon), up to the next one. */
export function sectionOf(text: string, heading: string): string | null {
  const lines = linesOf(text);
  const isHeading = (line: string): boolean =>
    /^(#+ |\*\*.*\*\*:?$|[A-Z][\w ]*:$|[A-Z]\w+$)/.test(line);
  const from = lines.findIndex(
    (line) => isHeading(line) && line.toLowerCase().includes(heading.toLowerCase()),
  );
  if (from === -1) return null;
  const rest = lines.slice(from + 1);
  const to = rest.findIndex(isHeading);
  return rest.slice(0, to === -1 ? rest.length : to).join('\n');
}

/** Words in the form of a call, `name(`, that are not among the known. */
export const inventedCalls = (text: string, known: readonly string[]): string[] =>
  [...text.matchAll(/\b([a-z]\w*[a-z0-9_]\w*)\((?!s\))/gi)]
    .map((found) => found[1] ?? '')
    .filter((name) => !known.includes(name));
