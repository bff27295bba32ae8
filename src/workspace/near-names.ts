/** Names close to one that was not found. */
import path from 'node:path';
import type { FileSystem } from '../lib/file-system.ts';
import { type IsCache, walk } from './walk.ts';

const MAX_LOOKED_AT = 2_000;
const MAX_SHOWN = 3;

/** Up to three of `candidates`, closest first; none that is farther than a third of the name. */
export function nearNames(wanted: string, candidates: Iterable<string>): readonly string[] {
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  return [...candidates]
    .map((name) => ({ name, distance: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter((near) => near.distance <= limit)
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, MAX_SHOWN)
    .map((near) => near.name);
}

/** Files of the workspace that carry the wanted name elsewhere, then those with a similar one. */
export function nearPaths(
  fs: FileSystem,
  workspace: string,
  relative: string,
  isCache: IsCache,
): readonly string[] {
  const name = path.posix.basename(relative).toLowerCase();
  const paths: string[] = [];
  for (const entry of walk(fs, workspace, isCache)) {
    if (entry.info.kind === 'file') paths.push(entry.path);
    if (paths.length >= MAX_LOOKED_AT) break;
  }
  const sameName = paths.filter((entry) => path.posix.basename(entry).toLowerCase() === name);
  return [...new Set([...sameName, ...nearNames(relative, paths)])].slice(0, MAX_SHOWN);
}

/** Levenshtein distance, two rows. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 40) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 1; line <= one.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= other.length; column += 1) {
      const swap = (row[column - 1] ?? 0) + (one[line - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
