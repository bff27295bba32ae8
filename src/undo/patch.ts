/** Shows the change of a file as lines. */
import { isUtf8 } from 'node:buffer';
import { isSecretFile } from '../languages/files/secret-files.ts';
import type { FileDifference } from './differences.ts';

export interface Patch {
  readonly path: string;
  readonly kind: 'new' | 'changed' | 'removed';
  /** `null` if the lines were not counted. */
  readonly lines: { readonly added: number; readonly removed: number } | null;
  readonly isChangedSince: boolean;
  /** Why no lines are shown; empty if they are. */
  readonly problem: string;
  readonly hunks: readonly Hunk[];
}

export interface Hunk {
  /** `@@ -1,3 +1,4 @@`. */
  readonly head: string;
  /** Each with its mark: a space, `+`, `-` or `\`. */
  readonly lines: readonly string[];
}

/** Milliseconds after which a comparison is given up: for two unrelated files it takes quadratic time. */
const LONGEST_MS = 2_000;
const CONTEXT = 3;

const MAY_HOLD_KEYS = 'it may hold keys: its lines are shown where it is named';

/**
 * Loads the diff library on use, because nothing else needs it.
 * @param isNamed the person asked for exactly this file, so it is shown even if it may hold secrets
 */
export async function patchOf(difference: FileDifference, isNamed = false): Promise<Patch> {
  const { path, before, after, isChangedSince } = difference;
  const kind = before === null ? 'new' : after === null ? 'removed' : 'changed';
  const without = (problem: string): Patch => ({
    ...{ path, kind, isChangedSince, problem },
    lines: null,
    hunks: [],
  });
  if (difference.problem !== '') return { ...without(difference.problem), kind: 'changed' };
  const [old, now] = [textOf(before), textOf(after)];
  if (old === null || now === null) return without(binaryText(before, after));
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch(path, path, old, now, '', '', {
    context: CONTEXT,
    timeout: LONGEST_MS,
  });
  if (patch === undefined) return without('it changed too much to be compared');
  const hunks = patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    head: `@@ -${placeOf(oldStart, oldLines)} +${placeOf(newStart, newLines)} @@`,
    lines,
  }));
  const marked = (mark: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line[0] === mark).length, 0);
  const lines = { added: marked('+'), removed: marked('-') };
  return isNamed || !isSecretFile(path)
    ? { ...without(''), lines, hunks }
    : { ...without(MAY_HOLD_KEYS), lines };
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
