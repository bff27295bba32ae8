/**
 * Whether the file behind the journal's name is still the one that is written to. Looks only, and
 * never throws.
 */
import { errorCode, readRange } from '../../lib/files/durable-files.ts';
import type { FileIdentity, FileSystem } from '../../lib/files/file-system.ts';
import { CHECKSUM_REACH } from '../lines/framing.ts';

/** The end of the file as this journal left it. */
export interface FileEnd {
  readonly size: number;
  /** Checksum of the last record, eight hex digits. */
  readonly chain: string;
}

export type Sight =
  | { readonly kind: 'ours' }
  /** The system cannot answer now; the handle is as good as before. */
  | { readonly kind: 'unknown' }
  /** It is there, and may not be looked at; where that lasts it is as good as gone. */
  | { readonly kind: 'hidden'; readonly code: string }
  /** The same file with other bytes: somebody else wrote to it. */
  | { readonly kind: 'written'; readonly size: number }
  | { readonly kind: 'removed' }
  /** `isCopy`: what stands there now ends as this journal does. */
  | { readonly kind: 'replaced'; readonly isCopy: boolean };

const REMOVED = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
/** Too few handles or too little memory says nothing about the file. */
const UNKNOWN = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR']);

export function lookAtOwnFile(fs: FileSystem, path: string, fd: number, end: FileEnd): Sight {
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
 * The usual case in few calls: the name leads to the file that is open, which ends as it was left.
 * False says nothing. Some network file systems show what others wrote only to who opens it anew.
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
  // To open a pipe would wait for ever.
  if (fs.stat(path).kind !== 'file') return { kind: 'replaced', isCopy: false };
  const fd = fs.open(path, 'r');
  try {
    const size = fs.size(fd);
    const endsAlike = size === end.size && lastChecksum(fs, fd, size) === end.chain;
    const [mine, named] = [identify(fs, own), identify(fs, fd)];
    if (isSame(mine, named)) return endsAlike ? { kind: 'ours' } : { kind: 'written', size };
    const isToldApart = mine !== null && named !== null && isStable(fs, path, named);
    if (isToldApart) return { kind: 'replaced', isCopy: endsAlike };
    return endsAlike ? { kind: 'ours' } : { kind: 'replaced', isCopy: false };
  } finally {
    fs.close(fd);
  }
}

function lastChecksum(fs: FileSystem, fd: number, size: number): string {
  const start = Math.max(0, size - CHECKSUM_REACH);
  return readRange(fs, fd, start, CHECKSUM_REACH).toString('latin1', 0, 8);
}

export const identify = (fs: FileSystem, fd: number): FileIdentity | null =>
  fs.identify?.(fd) ?? null;

const isSame = (one: FileIdentity | null, other: FileIdentity | null): boolean =>
  one !== null && one.device === other?.device && one.inode === other.inode;

/** Some network and user-space file systems number a file anew each time it is opened. */
function isStable(fs: FileSystem, path: string, before: FileIdentity): boolean {
  const fd = fs.open(path, 'r');
  try {
    return isSame(before, identify(fs, fd));
  } finally {
    fs.close(fd);
  }
}
