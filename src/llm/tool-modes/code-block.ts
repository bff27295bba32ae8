/** Extracts the content of a file from a reply that should be one code block. */

/** Tells the model that its answer is not a code block. */
export const NO_BLOCK = 'There was no code block. Answer with one code block and nothing else.';

const FENCE = /^[ \t]*(```+|~~~+)([^\n`]*)$/gm;

export interface FenceLine {
  /** The backticks or tildes. */
  readonly mark: string;
  /** The rest of its line. */
  readonly label: string;
}

/** By CommonMark: the same character, at least as long, and nothing behind it. */
export const closes = (open: FenceLine, { mark, label }: FenceLine): boolean =>
  mark.startsWith(open.mark) && label.trim() === '';

/** The number of the first fence that closes the one at `index`; -1: none does. */
export function closingOf(fences: readonly FenceLine[], index: number): number {
  const open = fences[index];
  if (open === undefined) return -1;
  for (let at = index + 1; at < fences.length; at += 1) {
    const fence = fences[at];
    if (fence !== undefined && closes(open, fence)) return at;
  }
  return -1;
}

interface Fence extends FenceLine {
  readonly start: number;
  readonly end: number;
}

const fencesIn = (text: string): readonly Fence[] =>
  [...text.matchAll(FENCE)].map(({ index, 0: line, 1: mark = '', 2: label = '' }) => ({
    ...{ mark, label, start: index, end: index + line.length },
  }));

export type CodeBlock =
  | {
      readonly kind: 'code';
      readonly code: string;
      /** The label of its fence in lower case, or ''. */
      readonly label: string;
    }
  | { readonly kind: 'none'; readonly error: string };

/**
 * The longest fenced block; for Markdown files everything between the first fence and the last that can close it, since
 * their content may contain fences. Nothing marks where a file begins in a reply without a fence.
 */
export function readCodeBlock(reply: string, file: string): CodeBlock {
  const text = reply.replace(/\r\n/g, '\n');
  const fences = fencesIn(text);
  if (fences.length === 0) return { kind: 'none', error: NO_BLOCK };
  const blocks = holdsFences(file) ? outermost(text, fences) : pairs(text, fences);
  const { code, label } = blocks.reduce(
    (best, block) => (block.code.length > best.code.length ? block : best),
    { code: '', label: '' },
  );
  return code.trim() === ''
    ? { kind: 'none', error: 'The code block was empty. Write the whole content of the file.' }
    : { kind: 'code', code: ending(code), label };
}

interface Block {
  readonly code: string;
  readonly label: string;
}

function pairs(text: string, fences: readonly Fence[]): Block[] {
  const blocks: Block[] = [];
  for (let index = 0; index < fences.length; ) {
    const open = fences[index];
    if (!open) break;
    const end = closingOf(fences, index);
    blocks.push(between(text, open, fences[end]));
    index = end < 0 ? fences.length : end + 1;
  }
  return blocks;
}

const outermost = (text: string, [first, ...more]: readonly Fence[]): Block[] =>
  first
    ? [
        between(
          text,
          first,
          more.findLast((fence) => closes(first, fence)),
        ),
      ]
    : [];

const between = (text: string, open: Fence, close?: Fence): Block => ({
  code: text.slice(open.end + 1, close ? close.start : text.length),
  label: /^\w*/.exec(open.label.trim().toLowerCase())?.[0] ?? '',
});

/** Files whose text may contain fences. */
export const holdsFences = (file: string): boolean => /\.(md|markdown)$/i.test(file);

export const ending = (code: string): string => `${code.trimEnd()}\n`;
