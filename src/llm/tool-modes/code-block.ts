/** Pure: the fenced blocks of a reply: one that holds a file, or several, each behind a line with its file's name. */

/** Tells the model that its answer is not a code block. */
export const NO_BLOCK = 'There was no code block. Answer with one code block and nothing else.';

const FENCE = /^[ \t]*(```+|~~~+)([^\n`]*)$/;

interface Fence {
  /** The number of its line. */
  readonly at: number;
  /** The backticks or tildes. */
  readonly mark: string;
  /** The rest of the fence's line. */
  readonly label: string;
}

const linesOf = (reply: string): readonly string[] => reply.replaceAll('\r\n', '\n').split('\n');

const fencesIn = (lines: readonly string[]): readonly Fence[] =>
  lines.flatMap((line, at): Fence[] => {
    const [, mark, label = ''] = FENCE.exec(line) ?? [];
    return mark === undefined ? [] : [{ at, mark, label }];
  });

/** By CommonMark: the same character, at least as long, and nothing behind it. */
const closes = (open: Fence, { mark, label }: Fence): boolean =>
  mark.startsWith(open.mark) && label.trim() === '';

/** The index of the first fence that closes the fence at `index`; -1: none does. */
function closingOf(fences: readonly Fence[], index: number): number {
  const open = fences[index];
  if (open === undefined) return -1;
  for (let at = index + 1; at < fences.length; at += 1) {
    const fence = fences[at];
    if (fence !== undefined && closes(open, fence)) return at;
  }
  return -1;
}

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
  const lines = linesOf(reply);
  const fences = fencesIn(lines);
  if (fences.length === 0) return { kind: 'none', error: NO_BLOCK };
  const blocks = holdsFences(file) ? outermost(fences) : pairs(fences);
  const { code, label } = blocks
    .map(([open, close]) => ({
      code: lines.slice(open.at + 1, close?.at).join('\n'),
      label: /^\w*/.exec(open.label.trim().toLowerCase())?.[0] ?? '',
    }))
    .reduce((best, block) => (block.code.length > best.code.length ? block : best), {
      code: '',
      label: '',
    });
  return code.trim() === ''
    ? { kind: 'none', error: 'The code block was empty. Write the whole content of the file.' }
    : { kind: 'code', code: ending(code), label };
}

type Block = readonly [open: Fence, close: Fence | undefined];

function pairs(fences: readonly Fence[]): Block[] {
  const blocks: Block[] = [];
  for (let index = 0; index < fences.length; ) {
    const open = fences[index];
    if (!open) break;
    const end = closingOf(fences, index);
    blocks.push([open, fences[end]]);
    index = end < 0 ? fences.length : end + 1;
  }
  return blocks;
}

const outermost = ([first, ...more]: readonly Fence[]): Block[] =>
  first ? [[first, more.findLast((fence) => closes(first, fence))]] : [];

/** Files whose text may contain fences. */
const holdsFences = (file: string): boolean => /\.(md|markdown)$/i.test(file);

const ending = (code: string): string => `${code.trimEnd()}\n`;

interface NamedBlock {
  readonly name: string;
  readonly code: string;
}

export interface NamedBlocks {
  readonly blocks: readonly NamedBlock[];
  /** A block never ends, so the answer was cut off. */
  readonly isInBlock: boolean;
  readonly hasFence: boolean;
}

/** Markup that models put around a name. The lookbehind keeps a long run from being read once per character. */
const AROUND_NAME = /^[\s#*`>-]+|(?<![\s*`:])[\s*`:]+$/g;

interface NamedFence extends Fence {
  /** The line before it, or its label, if that is a name. */
  readonly name: string | null;
}

/** @param isName whether such a line can name a file; a block without a name is skipped */
export function readNamedBlocks(reply: string, isName: (line: string) => boolean): NamedBlocks {
  const lines = linesOf(reply);
  const fences = fencesIn(lines).map((fence) => ({ ...fence, name: nameOf(lines, fence, isName) }));
  const blocks: NamedBlock[] = [];
  for (let index = 0; index < fences.length; ) {
    const open = fences[index];
    const end = endOf(fences, index);
    const close = fences[end];
    if (!open || !close) return { blocks, isInBlock: true, hasFence: true };
    const code = ending(lines.slice(open.at + 1, close.at).join('\n'));
    if (open.name !== null) blocks.push({ name: open.name, code });
    index = end + 1;
  }
  return { blocks, isInBlock: false, hasFence: fences.length > 0 };
}

/** The name on the line before, on the line before an empty line, or in the fence's label. */
function nameOf(
  lines: readonly string[],
  { at, label }: Fence,
  isName: (line: string) => boolean,
): string | null {
  const before = lines[at - 1]?.trim() === '' ? lines[at - 2] : lines[at - 1];
  const names = [before ?? '', label].map((line) => line.replace(AROUND_NAME, ''));
  return names.find((name) => name !== '' && isName(name)) ?? null;
}

/**
 * The end of a file's block: the next fence that closes it; if the text may contain fences itself, the last
 * one before the next file.
 */
function endOf(fences: readonly NamedFence[], index: number): number {
  const open = fences[index];
  const first = closingOf(fences, index);
  if (!open || first < 0 || open.name === null || !holdsFences(open.name)) return first;
  let next = first + 1;
  while (fences[next]?.name === null) next += 1;
  return first + fences.slice(first, next).findLastIndex((fence) => closes(open, fence));
}
