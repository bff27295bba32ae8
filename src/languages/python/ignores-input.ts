/** Pure: whether a function uses none of its arguments. */

/** A string literal with its prefix. */
const TEXT =
  /(?<![A-Za-z0-9_])([A-Za-z]{0,2})(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g;
const WORD = /[\p{L}\p{N}_]+/gu;
/** With these words a function can reach its input without naming it. */
const REACHES = new Set(['locals', 'vars', 'eval', 'exec', 'inspect', 'sys', 'super']);

/** False unless it is certain: the name is defined once, by lines of its own. */
export function ignoresInput(text: string, name: string): boolean {
  const lines = withoutTexts(text.replaceAll('\r\n', '\n')).split('\n');
  const begins = new RegExp(`^[ \\t]*(?:async +)?def +${name} *\\(`, 'u');
  const [first = -1, second] = lines.flatMap((line, at) => (begins.test(line) ? [at] : []));
  const last = lines.findIndex((line, at) => at >= first && /:\s*(?:#.*)?$/.test(line));
  if (first < 0 || second !== undefined || last < 0) return false;
  const depth = indentOf(lines[first] ?? '');
  const end = lines.findIndex(
    (one, at) => at > last && one.trim() !== '' && indentOf(one) <= depth,
  );
  const given = new Set(
    lines
      .slice(first, last + 1)
      .join('\n')
      .match(WORD),
  );
  const body = lines.slice(last + 1, end < 0 ? undefined : end).join('\n');
  const used = body.match(WORD) ?? [];
  return used.length > 0 && !used.some((word) => REACHES.has(word) || given.has(word));
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** An f-string may contain code, so it stays. */
const withoutTexts = (text: string): string =>
  text.replaceAll(TEXT, (whole, prefix: string) => (/[ft]/i.test(prefix) ? whole : '""'));
