/**
 * Parses Markdown into a tree of plain data: headings, lists, quotes, code and tables are not worth a library here.
 * Any other syntax stays as it was written. Pure; nothing is ever read as HTML, and links lead to http and https only.
 */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong' | 'em'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

export type MarkdownBlock =
  | { readonly kind: 'paragraph' | 'quote'; readonly inline: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly inline: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | {
      readonly kind: 'list';
      readonly isOrdered: boolean;
      readonly items: readonly (readonly Inline[])[];
    }
  | {
      readonly kind: 'table';
      /** The first row names the columns. */
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: 'rule' };

export function blocksOf(text: string): readonly MarkdownBlock[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: MarkdownBlock[] = [];
  for (let at = 0; at < lines.length; ) at = parseBlock(lines, at, blocks);
  return blocks;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const BULLET = /^\s*[-*+]\s+(.*)$/;
const NUMBER = /^\s*\d{1,4}[.)]\s+(.*)$/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
/** The line between the column names and the rows. */
const TABLE_RULE = /^\s*(\|\s*)?:?-+:?\s*\|(\s*:?-+:?\s*\|)*(\s*:?-+:?)?\s*$/;

const isTable = (lines: readonly string[], at: number): boolean =>
  (lines[at] ?? '').includes('|') && TABLE_RULE.test(lines[at + 1] ?? '');

/** An escaped bar is text. */
const cellsOf = (line: string): readonly (readonly Inline[])[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => inlineOf(cell.trim().replaceAll('\\|', '|')));

/** Appends the block at line `at`. @returns the index of the line after it */
function parseBlock(lines: readonly string[], at: number, blocks: MarkdownBlock[]): number {
  const line = lines[at] ?? '';
  if (line.trim() === '') return at + 1;
  const [, fence, language = ''] = FENCE.exec(line) ?? [];
  if (fence !== undefined) {
    const code = linesWhile(lines, at + 1, (one) => !one.trim().startsWith(fence));
    blocks.push({ kind: 'code', language, text: code.join('\n') });
    return at + code.length + 2;
  }
  const [, hashes, title] = HEADING.exec(line) ?? [];
  if (hashes !== undefined && title !== undefined) {
    blocks.push({ kind: 'heading', level: hashes.length, inline: inlineOf(title) });
    return at + 1;
  }
  if (RULE.test(line)) {
    blocks.push({ kind: 'rule' });
    return at + 1;
  }
  if (isTable(lines, at)) {
    const body = linesWhile(lines, at + 2, (one) => one.trim() !== '' && one.includes('|'));
    blocks.push({ kind: 'table', rows: [line, ...body].map(cellsOf) });
    return at + 2 + body.length;
  }
  const itemPattern = BULLET.test(line) ? BULLET : NUMBER.test(line) ? NUMBER : null;
  if (itemPattern !== null) {
    const run = linesWhile(lines, at, (one) => itemPattern.test(one));
    const items = run.map((one) => inlineOf(itemPattern.exec(one)?.[1] ?? ''));
    blocks.push({ kind: 'list', isOrdered: itemPattern === NUMBER, items });
    return at + run.length;
  }
  const isQuote = line.startsWith('>');
  const run = isQuote
    ? linesWhile(lines, at, (one) => one.startsWith('>')).map((one) => one.replace(/^>\s?/, ''))
    : linesWhile(
        lines,
        at,
        (one, index) => index === at || (isPlain(one) && !isTable(lines, index)),
      );
  blocks.push({ kind: isQuote ? 'quote' : 'paragraph', inline: inlineOf(run.join('\n')) });
  return at + run.length;
}

function linesWhile(
  lines: readonly string[],
  at: number,
  belongs: (line: string, index: number) => boolean,
): readonly string[] {
  let end = at;
  while (end < lines.length && belongs(lines[end] ?? '', end)) end += 1;
  return lines.slice(at, end);
}

const isPlain = (line: string): boolean =>
  line.trim() !== '' &&
  ![FENCE, HEADING, BULLET, NUMBER, RULE].some((form) => form.test(line)) &&
  !line.startsWith('>');

const INLINE =
  /(`+)(.+?)\1|\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*|\[([^[\]\n]+)\]\(([^()\s]+)\)|(https?:\/\/[^\s<>()]+[^\s<>().,;:!?'"])/g;

function inlineOf(text: string): readonly Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const part = partOf(match);
    if (part === null) continue;
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) });
    parts.push(part);
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

function partOf([, , code, strong, em, label, target, bare]: RegExpExecArray): Inline | null {
  if (code !== undefined) return { kind: 'code', text: code };
  if (strong !== undefined) return { kind: 'strong', text: strong };
  if (em !== undefined) return { kind: 'em', text: em };
  if (bare !== undefined) return { kind: 'link', text: bare, href: bare };
  const href = target === undefined ? null : httpAddress(target);
  return label === undefined || href === null ? null : { kind: 'link', text: label, href };
}

/** A web address; `null` for any other target: `javascript:`, `data:`, a path. */
export function httpAddress(target: string): string | null {
  try {
    const { protocol, href } = new URL(target);
    return protocol === 'http:' || protocol === 'https:' ? href : null;
  } catch {
    return null;
  }
}
