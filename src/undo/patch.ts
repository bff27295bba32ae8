/** Shows the change of a file as lines. */
import { isSecretFile } from '../languages/files/secret-files.ts';
import { compareText, type DiffHunk } from '../workspace/hunks.ts';
import type { FileDifference } from './differences.ts';

export interface Patch {
  readonly path: string;
  readonly kind: 'new' | 'changed' | 'removed';
  /** `null` if the lines were not counted. */
  readonly lines: { readonly added: number; readonly removed: number } | null;
  readonly isChangedSince: boolean;
  /** Why no lines are shown; empty if they are. */
  readonly problem: string;
  readonly hunks: readonly DiffHunk[];
}

const MAY_HOLD_KEYS = 'it may hold keys: its lines are shown where it is named';

/**
 * @param isNamed the person asked for exactly this file, so it is shown even if it may hold secrets
 */
export async function patchOf(difference: FileDifference, isNamed = false): Promise<Patch> {
  const { path, before, after, isChangedSince } = difference;
  const kind = before === null ? 'new' : after === null ? 'removed' : 'changed';
  const without = (problem: string): Patch => ({
    path,
    kind,
    isChangedSince,
    problem,
    lines: null,
    hunks: [],
  });
  if (difference.problem !== '') return { ...without(difference.problem), kind: 'changed' };
  const compared = await compareText(path, before, after);
  if (typeof compared === 'string') return without(compared);
  const { hunks, ...lines } = compared;
  return isNamed || !isSecretFile(path)
    ? { ...without(''), lines, hunks }
    : { ...without(MAY_HOLD_KEYS), lines };
}
