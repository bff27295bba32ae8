/** Finds where a text that was not found exactly most likely is. Pure. */

export interface ClosestLines {
  /** The number of the first shown line, from 1. */
  readonly line: number;
  readonly text: string;
  /** True if only white space at the ends of lines differs. */
  readonly onlySpaceDiffers: boolean;
}

const MAX_LINES = 5_000;
const MAX_COMPARED = 20;
const MAX_WIDTH = 400;
const MAX_WORDS = 60;

/** The part of `text` that shares the most lines, or else the most words, with `wanted`. */
export function closestLines(text: string, wanted: string): ClosestLines | null {
  const lines = text.split(/\r?\n/, MAX_LINES);
  const allWanted = withoutBlankEnds(wanted.split(/\r?\n/));
  const wantedLines = allWanted.slice(0, MAX_COMPARED).map(read);
  const readLines = lines.map(read);
  let best = { score: 0, at: -1 };
  for (let at = 0; at < lines.length; at += 1) {
    const score = likeness(readLines, at, wantedLines);
    if (score > best.score) best = { score, at };
  }
  if (best.at < 0 || best.score < 0.3) return null;
  const found = lines.slice(best.at, best.at + wantedLines.length);
  return {
    line: best.at + 1,
    text: found.map((line) => line.slice(0, MAX_WIDTH)).join('\n'),
    onlySpaceDiffers: best.score === 1 && allWanted.length === wantedLines.length,
  };
}

/** Models put text on lines of its own. */
function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const isFilled = (line: string): boolean => line.trim() !== '';
  const first = lines.findIndex(isFilled);
  return first < 0 ? lines.slice(-1) : lines.slice(first, lines.findLastIndex(isFilled) + 1);
}

/** A line, prepared once for all comparisons. */
interface ReadLine {
  readonly trimmed: string;
  readonly words: ReadonlySet<string>;
}

const read = (line: string): ReadLine => ({
  trimmed: line.trim(),
  words: new Set(line.slice(0, MAX_WIDTH).match(/\w+/g)?.slice(0, MAX_WORDS)),
});

const NO_LINE = read('');

/** 0 to 1: equal lines count fully, others by the words that they share. */
function likeness(lines: readonly ReadLine[], at: number, wanted: readonly ReadLine[]): number {
  let sum = 0;
  for (const [index, line] of wanted.entries())
    sum += lineLikeness(lines[at + index] ?? NO_LINE, line);
  return sum / wanted.length;
}

function lineLikeness(found: ReadLine, wanted: ReadLine): number {
  if (found.trimmed === wanted.trimmed) return 1;
  if (wanted.words.size === 0 || found.words.size === 0) return 0;
  let shared = 0;
  for (const word of wanted.words) if (found.words.has(word)) shared += 1;
  return (0.9 * shared) / Math.max(wanted.words.size, found.words.size);
}
