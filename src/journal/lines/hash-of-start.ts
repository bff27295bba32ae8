import { createHash } from 'node:crypto';
import { readRange } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';

const PIECE_BYTES = 1024 * 1024;

/** The sha256 of the first `bytes` of an open file, in hex; of a shorter file, of its whole content. */
export function hashOfStart(fs: FileSystem, fd: number, bytes: number): string {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes; ) {
    const piece = readRange(fs, fd, at, Math.min(PIECE_BYTES, bytes - at));
    if (piece.length === 0) break;
    hash.update(piece);
    at += piece.length;
  }
  return hash.digest('hex');
}
