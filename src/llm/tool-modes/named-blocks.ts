/** Pure: reads several files from one answer: each is a fenced block behind a line with its name. */
import { closes, closingOf, ending, type FenceLine, holdsFences } from './code-block.ts';

export interface NamedBlock {
  readonly name: string;
  readonly code: string;
}

export interface NamedBlocks {
  readonly blocks: readonly NamedBlock[];
  /** A block never ends, so the answer was cut off. */
  readonly isInBlock: boolean;
  readonly hasFence: boolean;
}

const FENCE = /^[ \t]*(```+|~~~+)([^\n`]*)$/;
/** Markup that models put around a name. The lookbehind keeps a long run from being read once per character. */
const AROUND_NAME = /^[\s#*`>-]+|(?<![\s*`:])[\s*`:]+$/g;

interface Fence extends FenceLine {
  /** The number of its line. */
  readonly at: number;
  /** The line before it, or its label, if that is a name. */
  readonly name: string | null;
}

/** @param isName whether such a line can name a file; a block without a name is skipped */
export function readNamedBlocks(reply: string, isName: (line: string) => boolean): NamedBlocks {
  const lines = reply.replaceAll('\r\n', '\n').split('\n');
  const fences = lines.flatMap((line, at): Fence[] => {
    const [, mark, label = ''] = FENCE.exec(line) ?? [];
    return mark === undefined ? [] : [{ at, mark, label, name: nameAt(lines, at, label, isName) }];
  });
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
function nameAt(
  lines: readonly string[],
  at: number,
  label: string,
  isName: (line: string) => boolean,
): string | null {
  const before = lines[at - 1]?.trim() === '' ? lines[at - 2] : lines[at - 1];
  const names = [before ?? '', label].map((line) => line.replace(AROUND_NAME, ''));
  return names.find((name) => name !== '' && isName(name)) ?? null;
}

/** The next fence that closes it; if the text may contain fences itself, the last one before the next file. */
function endOf(fences: readonly Fence[], index: number): number {
  const open = fences[index];
  const first = closingOf(fences, index);
  if (!open || first < 0 || open.name === null || !holdsFences(open.name)) return first;
  let next = first + 1;
  while (fences[next]?.name === null) next += 1;
  return first + fences.slice(first, next).findLastIndex((fence) => closes(open, fence));
}
