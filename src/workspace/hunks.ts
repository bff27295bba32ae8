/** Compares two contents of a file line by line. */
import { isUtf8 } from 'node:buffer';

export interface DiffHunk {
  /** `@@ -1,3 +1,4 @@`. */
  readonly head: string;
  /** Each with its mark: a space, `+`, `-` or `\`. */
  readonly lines: readonly string[];
}

export interface ComparedText {
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
}

/** Milliseconds after which a comparison is given up: for two unrelated files it takes quadratic time. */
const LONGEST_MS = 2_000;
const CONTEXT = 3;

/**
 * Loads the diff library on use, because nothing else needs it. `null` means that there is no file.
 * @returns the differences, or a text that says why the contents cannot be compared
 */
export async function compareText(
  path: string,
  before: Uint8Array | null,
  after: Uint8Array | null,
): Promise<ComparedText | string> {
  const [old, now] = [textOf(before), textOf(after)];
  if (old === null || now === null) return binaryText(before, after);
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch(path, path, old, now, '', '', {
    context: CONTEXT,
    timeout: LONGEST_MS,
  });
  if (patch === undefined) return 'it changed too much to be compared';
  const hunks = patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    head: `@@ -${placeOf(oldStart, oldLines)} +${placeOf(newStart, newLines)} @@`,
    lines,
  }));
  const marked = (mark: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line[0] === mark).length, 0);
  return { hunks, added: marked('+'), removed: marked('-') };
}

/** An empty range is placed after the line before it, as in the output of git and `diff -u`. */
const placeOf = (start: number, lines: number): string =>
  `${lines === 0 ? start - 1 : start},${lines}`;

/** `null` if it is not text. */
function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return '';
  return isUtf8(bytes) && !bytes.includes(0) ? Buffer.from(bytes).toString('utf8') : null;
}

function binaryText(before: Uint8Array | null, after: Uint8Array | null): string {
  const size = (bytes: Uint8Array | null): string =>
    bytes === null ? 'nothing' : `${bytes.length} bytes`;
  return `not a text: ${size(before)} before, ${size(after)} now`;
}
