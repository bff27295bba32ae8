/** Where a text that was not found word for word most likely stands. Pure. */

export interface ClosestLines {
  /** Number of the first shown line, from 1. */
  readonly line: number;
  readonly text: string;
  /** True when only white space at the ends of lines differs. */
  readonly onlySpaceDiffers: boolean;
}

const MAX_LINES = 5_000;
const MAX_COMPARED = 20;
const MAX_WIDTH = 400;

/** The stretch of `text` that shares most lines, or else most words, with `wanted`. */
export function closestLines(text: string, wanted: string): ClosestLines | null {
  const lines = text.split(/\r?\n/, MAX_LINES);
  const allWanted = wanted.replace(/^\s*\n|\n\s*$/g, '').split(/\r?\n/);
  const wantedLines = allWanted.slice(0, MAX_COMPARED);
  let best = { score: 0, at: -1 };
  for (let at = 0; at < lines.length; at += 1) {
    const score = likeness(lines.slice(at, at + wantedLines.length), wantedLines);
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

/** 0 to 1: equal lines count whole, others by the words they share. */
function likeness(found: readonly string[], wanted: readonly string[]): number {
  const scores = wanted.map((line, index) => lineLikeness(found[index] ?? '', line));
  return scores.reduce((sum, score) => sum + score, 0) / wanted.length;
}

function lineLikeness(found: string, wanted: string): number {
  if (found.trim() === wanted.trim()) return 1;
  const wantedWords = wordsOf(wanted);
  const foundWords = wordsOf(found);
  if (wantedWords.size === 0 || foundWords.size === 0) return 0;
  const shared = [...wantedWords].filter((word) => foundWords.has(word)).length;
  return (0.9 * shared) / Math.max(wantedWords.size, foundWords.size);
}

const wordsOf = (line: string): ReadonlySet<string> =>
  new Set(line.slice(0, MAX_WIDTH).match(/\w+/g));
