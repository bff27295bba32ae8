/** Names similar to one that was not found. */
import path from 'node:path';
import type { FileSystem } from '../lib/files/file-system.ts';
import { editDistance } from '../lib/text/edit-distance.ts';
import { type IsCache, walk } from './walk.ts';

const MAX_LOOKED_AT = 2_000;
const MAX_ENTRIES = 20_000;
const MAX_SHOWN = 3;
/** Comparing two names takes time proportional to the product of their lengths. */
const LONGEST = 200;
/** Names whose lengths differ by more are not compared. */
const TOO_UNLIKE = 40;

/** Up to three of `candidates`, closest first, none farther away than a third of the name's length. */
export function nearNames(wanted: string, candidates: Iterable<string>): readonly string[] {
  if (wanted.length > LONGEST) return [];
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  return [...candidates]
    .map((name) => ({ name, distance: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter((near) => near.distance <= limit)
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, MAX_SHOWN)
    .map((near) => near.name);
}

/** Files of the workspace with the wanted name in another folder, then those with a similar name. */
export function nearPaths(
  fs: FileSystem,
  workspace: string,
  relative: string,
  isCache: IsCache,
): readonly string[] {
  const name = path.posix.basename(relative).toLowerCase();
  const paths: string[] = [];
  let entries = 0;
  for (const entry of walk(fs, workspace, isCache)) {
    if (entry.info.kind === 'file') paths.push(entry.path);
    entries += 1;
    if (paths.length >= MAX_LOOKED_AT || entries >= MAX_ENTRIES) break;
  }
  const sameName = paths.filter((entry) => path.posix.basename(entry).toLowerCase() === name);
  return [...new Set([...sameName, ...nearNames(relative, paths)])].slice(0, MAX_SHOWN);
}

const distance = (one: string, other: string): number =>
  Math.abs(one.length - other.length) > TOO_UNLIKE
    ? Number.POSITIVE_INFINITY
    : editDistance(one, other, 2);
