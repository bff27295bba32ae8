/** Checks whether the journal's path still leads to the file that is open. It only looks and never throws. */
import { errorCode, readRange } from '../../lib/files/durable-files.ts';
import type { FileIdentity, FileSystem } from '../../lib/files/file-system.ts';
import { withFile } from '../../lib/files/with-file.ts';
import { CHECKSUM_REACH } from '../lines/framing.ts';

/** The end of the file as this journal left it. */
export interface FileEnd {
  readonly size: number;
  /** The checksum of the last record, eight hex digits. */
  readonly chain: string;
}

export type Sight =
  | { readonly kind: 'ours' }
  /** The system cannot answer now; the handle is still usable. */
  | { readonly kind: 'unknown' }
  /** The file exists but may not be examined; if that lasts, it counts as gone. */
  | { readonly kind: 'hidden'; readonly code: string }
  /** The same file with other bytes: someone else wrote to it. */
  | { readonly kind: 'written'; readonly size: number }
  | { readonly kind: 'removed' }
  /** `isCopy`: the file that is there now ends as this journal does. */
  | { readonly kind: 'replaced'; readonly isCopy: boolean };

const REMOVED = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
/** A shortage of handles or memory says nothing about the file. */
const UNKNOWN = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR']);

export function inspectOwnFile(fs: FileSystem, path: string, fd: number, end: FileEnd): Sight {
  try {
    const there = throughPath(fs, path, fd, end);
    if (there.kind !== 'ours') return there;
    const size = fs.size(fd);
    return size === end.size ? there : { kind: 'written', size };
  } catch (error) {
    const code = errorCode(error);
    if (REMOVED.has(code)) return { kind: 'removed' };
    return UNKNOWN.has(code) ? { kind: 'unknown' } : { kind: 'hidden', code };
  }
}

/**
 * Handles the usual case in few calls: the path leads to the open file, which ends as it was left. False is
 * inconclusive: some network file systems show other clients' writes only to a new handle.
 */
export function isPlainlyOwn(
  fs: FileSystem,
  path: string,
  { fd, identity }: { readonly fd: number; readonly identity: FileIdentity | null },
  end: FileEnd,
): boolean {
  try {
    const named = fs.identifyAt?.(path) ?? null;
    return (
      named?.size === end.size &&
      isSame(named, identity) &&
      lastChecksum(fs, fd, end.size) === end.chain
    );
  } catch {
    return false;
  }
}

function throughPath(fs: FileSystem, path: string, own: number, end: FileEnd): Sight {
  // Opening a pipe would block forever.
  if (fs.stat(path).kind !== 'file') return { kind: 'replaced', isCopy: false };
  return withFile(fs, path, (fd) => {
    const size = fs.size(fd);
    const endsAlike = size === end.size && lastChecksum(fs, fd, size) === end.chain;
    const [mine, named] = [identify(fs, own), identify(fs, fd)];
    if (isSame(mine, named)) return endsAlike ? { kind: 'ours' } : { kind: 'written', size };
    const isToldApart = mine !== null && named !== null && isStable(fs, path, named);
    if (isToldApart) return { kind: 'replaced', isCopy: endsAlike };
    return endsAlike ? { kind: 'ours' } : { kind: 'replaced', isCopy: false };
  });
}

function lastChecksum(fs: FileSystem, fd: number, size: number): string {
  const start = Math.max(0, size - CHECKSUM_REACH);
  return readRange(fs, fd, start, CHECKSUM_REACH).toString('latin1', 0, 8);
}

export const identify = (fs: FileSystem, fd: number): FileIdentity | null =>
  fs.identify?.(fd) ?? null;

const isSame = (one: FileIdentity | null, other: FileIdentity | null): boolean =>
  one !== null && one.device === other?.device && one.inode === other.inode;

/** Some network and user-space file systems give a file a new identity at every open. */
function isStable(fs: FileSystem, path: string, before: FileIdentity): boolean {
  return withFile(fs, path, (fd) => isSame(before, identify(fs, fd)));
}
