/** Compares two scans of a workspace. */
import type { Interruptible } from '../lib/interruptible.ts';
import type { FileChange } from '../schema/actions.ts';
import type { Uncovered } from '../schema/journal/before-images.ts';
import { type FileStamp, type WorkspaceScan, wasAbsent } from './scan.ts';

/** A scan, with the hash of every file whose content at that time is known. */
export interface HashedScan {
  readonly scan: WorkspaceScan;
  /** `null`: its content was not kept. */
  readonly hashes: ReadonlyMap<string, string | null>;
}

export interface WorkspaceChanges {
  /** Existing files come first. */
  readonly files: readonly FileChange[];
  /** New folders, outermost first. */
  readonly folders: readonly string[];
  readonly uncovered: readonly Uncovered[];
  /** Paths of everything that differs. */
  readonly paths: readonly string[];
}

export interface ChangesDeps {
  /** The current sha256; `null` if the file cannot be read. */
  hashing(path: string, seen: FileStamp): Interruptible<string | null>;
  /** False for new files that are too large to be read. */
  mayRead(seen: FileStamp): boolean;
  /** False if there are no modes, or the earlier ones are unknown: only a different content counts then. */
  readonly knowsModes: boolean;
}

export function* changesBetween(
  before: HashedScan,
  after: WorkspaceScan,
  deps: ChangesDeps,
): Interruptible<WorkspaceChanges> {
  const gone: FileChange[] = [];
  const made: FileChange[] = [];
  const uncovered: Uncovered[] = [];
  for (const [path, seen] of before.scan.files) {
    yield;
    const became = yield* changeOf(path, seen, before, after, deps);
    if (became === null) continue;
    if ('became' in became) uncovered.push(became);
    else gone.push(became);
  }
  // If a removed file was not kept, a new file of its size may be the same file, moved, and so its only copy.
  const taken = uncovered.filter(({ became }) => became === 'removed');
  const sizes = new Set(taken.map(({ path }) => before.scan.files.get(path)?.size));
  for (const [path, seen] of after.files) {
    if (before.scan.files.has(path) || !wasNoFile(before.scan, path)) continue;
    const isCovered = !sizes.has(seen.size) && deps.mayRead(seen);
    const hash = isCovered ? yield* deps.hashing(path, seen) : null;
    if (hash === null) uncovered.push({ path, became: 'made' });
    else made.push({ path, before: null, after: hash });
  }
  const links = changedLinks(before.scan, after);
  uncovered.push(...links);
  const folders = foldersOnlyIn(after, before.scan);
  const files = [...gone, ...made];
  const paths = [...files, ...uncovered].map(({ path }) => path);
  const lost = foldersOnlyIn(before.scan, after);
  return { files, folders, uncovered, paths: [...paths, ...folders, ...lost] };
}

function* changeOf(
  path: string,
  seen: FileStamp,
  before: HashedScan,
  after: WorkspaceScan,
  deps: ChangesDeps,
): Interruptible<FileChange | Uncovered | null> {
  const hash = before.hashes.get(path) ?? null;
  const now = after.files.get(path);
  if (now === undefined) {
    if (!isGone(after, path)) return null;
    return hash === null
      ? { path, became: 'removed' }
      : { path, before: hash, after: null, mode: seen.mode };
  }
  if (hash === null) {
    const isSame = seen.size === now.size && seen.mtimeMs === now.mtimeMs;
    return isSame ? null : { path, became: 'changed' };
  }
  const hashNow = yield* deps.hashing(path, now);
  if (hashNow === hash) {
    if (now.mode === seen.mode || !deps.knowsModes) return null;
    return { path, before: hash, after: hash, mode: seen.mode, modeAfter: now.mode };
  }
  return hashNow === null
    ? { path, became: 'changed' }
    : { path, before: hash, after: hashNow, mode: seen.mode };
}

/** True if there was nothing, or a folder, whose files are compared separately. */
const wasNoFile = (before: WorkspaceScan, path: string): boolean =>
  wasAbsent(before, path) || before.others.get(path) === 'directory';

/** Something else is there now, or nothing; a name that could not be examined is neither. */
function isGone(after: WorkspaceScan, path: string): boolean {
  const other = after.others.get(path);
  return other === undefined ? wasAbsent(after, path) : other !== 'unknown';
}

function changedLinks(before: WorkspaceScan, after: WorkspaceScan): Uncovered[] {
  const isLink = (scan: WorkspaceScan, path: string): boolean =>
    scan.others.get(path) === 'symlink';
  const links = (scan: WorkspaceScan) =>
    [...scan.others.keys()].filter((path) => isLink(scan, path));
  const removed = links(before).filter((path) => !isLink(after, path) && isGoneLink(after, path));
  const made = links(after).filter((path) => wasAbsent(before, path));
  return [
    ...removed.map((path): Uncovered => ({ path, became: 'removed' })),
    ...made.map((path): Uncovered => ({ path, became: 'made' })),
  ];
}

const isGoneLink = (after: WorkspaceScan, path: string): boolean =>
  after.files.has(path) || isGone(after, path);

function foldersOnlyIn(one: WorkspaceScan, other: WorkspaceScan): string[] {
  return [...one.others]
    .filter(([path, kind]) => kind === 'directory' && wasAbsent(other, path))
    .map(([path]) => path);
}
