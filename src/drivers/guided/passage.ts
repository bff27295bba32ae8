/** Pure: the part of a long file that matters, cut at the borders of its blocks. */
import { longWords, sharedWords } from '../../probe/files-that-matter.ts';

export interface FilePassage {
  /** Lines, from 1, both included. */
  readonly from: number;
  readonly to: number;
  /** The number of all lines. */
  readonly of: number;
  /** With `\n` between its lines, without the end of the last one. */
  readonly text: string;
}

export interface About {
  /** A goal, a purpose, a failure: its longer words are searched for. */
  readonly words: string;
  /** Lines that a failure names. */
  readonly lines: readonly number[];
}

interface Block {
  readonly first: number;
  readonly last: number;
  readonly chars: number;
  readonly score: number;
}

/** A line that a failure names counts more than any number of words. */
const NAMED_LINE = 1000;
/** Lines shown before a named line in a block that is too long. */
const LINES_BEFORE = 5;

/**
 * At most about `room` characters around the block that shares most words with the subject; the end of the file if none
 * does, since new code goes there. Never a text that occurs twice in the file, so that it can be replaced.
 */
export function passageOf(whole: string, room: number, about: About): FilePassage {
  const lines = whole
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(/\n$/, '')
    .split('\n');
  const blocks = blocksOf(lines, about);
  const best = blocks.reduce(
    (top, { score }, index) => (score > (blocks[top]?.score ?? 0) ? index : top),
    blocks.length - 1,
  );
  const { from, to } = grown(blocks, best, room);
  return unique(lines, clipped(lines, from, to, room, about));
}

/** A block begins at an unindented line after an empty one. */
function blocksOf(lines: readonly string[], about: About): readonly Block[] {
  const starts = lines.flatMap((line, index) => {
    const isStart = /^\S/.test(line) && (lines[index - 1] ?? '').trim() === '';
    return index === 0 || isStart ? [index] : [];
  });
  const words = longWords(about.words);
  return starts.map((first, index) => {
    const last = (starts[index + 1] ?? lines.length) - 1;
    const text = lines.slice(first, last + 1).join('\n');
    const named = about.lines.filter((line) => line > first && line <= last + 1).length;
    const shared = sharedWords(words, longWords(text));
    return { first, last, chars: text.length + 1, score: named * NAMED_LINE + shared };
  });
}

/** Adds neighbouring lines while there is room, those after the passage first. */
function grown(
  blocks: readonly Block[],
  best: number,
  room: number,
): { readonly from: number; readonly to: number } {
  let [first, last] = [best, best];
  let chars = blocks[best]?.chars ?? 0;
  for (;;) {
    const after = blocks[last + 1];
    const before = blocks[first - 1];
    if (after && chars + after.chars <= room) [last, chars] = [last + 1, chars + after.chars];
    else if (before && chars + before.chars <= room)
      [first, chars] = [first - 1, chars + before.chars];
    else break;
  }
  return { from: blocks[first]?.first ?? 0, to: blocks[last]?.last ?? 0 };
}

/** A block that is too long by itself is shown around the named line, else from its beginning. */
function clipped(
  lines: readonly string[],
  from: number,
  to: number,
  room: number,
  { lines: named }: About,
): readonly [number, number] {
  const centre = named.find((line) => line > from && line <= to + 1);
  const first = centre === undefined ? from : Math.max(from, centre - 1 - LINES_BEFORE);
  let last = first;
  let chars = lines[first]?.length ?? 0;
  for (let next = first + 1; next <= to; next += 1) {
    chars += 1 + (lines[next]?.length ?? 0);
    if (chars > room) break;
    last = next;
  }
  return [first, last];
}

/** A text that occurs elsewhere, too, grows until it is unique. */
function unique(lines: readonly string[], [first, last]: readonly [number, number]): FilePassage {
  const whole = lines.join('\n');
  const grownBy = (more: number): FilePassage => {
    const [from, to] = [Math.max(0, first - more), Math.min(lines.length - 1, last + more)];
    return {
      from: from + 1,
      to: to + 1,
      of: lines.length,
      text: lines.slice(from, to + 1).join('\n'),
    };
  };
  const isUnique = ({ text }: FilePassage): boolean =>
    text.trim() !== '' && whole.indexOf(text) === whole.lastIndexOf(text);
  return grownBy(leastOf(lines.length, (more) => isUnique(grownBy(more))));
}

/** The least whole number from 0 to `most` that is enough, where every greater one is too; `most` if none is. */
function leastOf(most: number, isEnough: (number: number) => boolean): number {
  let [low, high] = [0, most];
  if (isEnough(0)) return 0;
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
