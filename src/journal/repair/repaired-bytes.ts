/** The content of a corrected journal: pieces of the file, and a few replaced bytes. */
import { readRange, writeFully } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';

export type RepairedPiece =
  | { readonly kind: 'kept'; readonly from: number; readonly to: number }
  | { readonly kind: 'put'; readonly bytes: Buffer };

export interface RepairedBytes {
  readonly size: number;
  readonly pieces: readonly RepairedPiece[];
  keep(from: number, to: number): void;
  /** Adds replacement bytes. */
  put(bytes: Buffer): void;
}

const lengthOf = (piece: RepairedPiece): number =>
  piece.kind === 'put' ? piece.bytes.length : piece.to - piece.from;

export function repairedBytes(): RepairedBytes {
  const pieces: RepairedPiece[] = [];
  let size = 0;
  const add = (piece: RepairedPiece): void => {
    pieces.push(piece);
    size += lengthOf(piece);
  };
  return {
    pieces,
    get size() {
      return size;
    },
    keep(from, to) {
      const last = pieces.at(-1);
      if (last?.kind === 'kept' && last.to === from) {
        pieces[pieces.length - 1] = { kind: 'kept', from: last.from, to };
        size += to - from;
      } else if (to > from) add({ kind: 'kept', from, to });
    },
    put(bytes) {
      if (bytes.length > 0) add({ kind: 'put', bytes });
    },
  };
}

/** The bytes between two positions. */
export function sliceOf(
  pieces: readonly RepairedPiece[],
  from: number,
  to: number,
): RepairedPiece[] {
  const slice: RepairedPiece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const first = Math.max(0, from - at);
    const last = Math.min(lengthOf(piece), to - at);
    if (first < last)
      slice.push(
        piece.kind === 'put'
          ? { kind: 'put', bytes: piece.bytes.subarray(first, last) }
          : { kind: 'kept', from: piece.from + first, to: piece.from + last },
      );
    at += lengthOf(piece);
  }
  return slice;
}

/** True if the file already begins with these bytes. */
export const isAsItIs = (pieces: readonly RepairedPiece[]): boolean =>
  pieces.length === 0 ||
  (pieces.length === 1 && pieces[0]?.kind === 'kept' && pieces[0].from === 0);

const CHUNK_BYTES = 256 * 1024;

export function writePieces(
  fs: FileSystem,
  source: number | null,
  target: number,
  pieces: readonly RepairedPiece[],
): void {
  let position = 0;
  const write = (bytes: Buffer): void => {
    writeFully(fs, target, bytes, position);
    position += bytes.length;
  };
  for (const piece of pieces) {
    if (piece.kind === 'put') write(piece.bytes);
    else if (source !== null)
      for (let from = piece.from; from < piece.to; from += CHUNK_BYTES)
        write(readRange(fs, source, from, Math.min(CHUNK_BYTES, piece.to - from)));
  }
}
