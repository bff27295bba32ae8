/** Packs the contents of many files into few blobs: syncing a thousand files one by one would take seconds. */

import { TardigradeError } from '../../lib/errors.ts';
import { errorCode } from '../../lib/files/durable-files.ts';
import { sha256 } from '../../lib/sha256.ts';
import { Manifest } from '../../schema/journal/before-images.ts';

/** Where a content is stored. */
export interface PackEntry {
  readonly pack: { readonly blob: string; readonly size: number };
  readonly offset: number;
  readonly length: number;
}

const PACK_BYTES = 4 * 1024 * 1024;

/** Collects contents; each is durable once `flush` has returned. */
export class Packer {
  readonly places = new Map<string, PackEntry>();
  /** Bytes collected so far. */
  bytes = 0;
  readonly #keep: (bytes: Uint8Array) => string;
  readonly #waiting = new Map<string, Uint8Array>();
  #size = 0;

  /** @param keep makes a blob durable and returns its sha256 */
  constructor(keep: (bytes: Uint8Array) => string) {
    this.#keep = keep;
  }

  add(hash: string, bytes: Uint8Array): void {
    if (this.places.has(hash) || this.#waiting.has(hash)) return;
    this.#waiting.set(hash, bytes);
    this.#size += bytes.length;
    this.bytes += bytes.length;
    if (this.#size >= PACK_BYTES) this.flush();
  }

  flush(): void {
    if (this.#waiting.size === 0) return;
    const whole = Buffer.concat([...this.#waiting.values()]);
    const pack = { blob: this.#keep(whole), size: whole.length };
    let offset = 0;
    for (const [hash, bytes] of this.#waiting) {
      this.places.set(hash, { pack, offset, length: bytes.length });
      offset += bytes.length;
    }
    this.#waiting.clear();
    this.#size = 0;
  }
}

export function packEntriesIn({ packs, files }: Manifest): Map<string, PackEntry> {
  const places = new Map<string, PackEntry>();
  for (const { hash, pack: index, offset, size } of files) {
    const pack = packs[index];
    if (pack !== undefined) places.set(hash, { pack, offset, length: size });
  }
  return places;
}

/** Empty for a lost manifest: the other contents can still be read. */
function entriesOfPack(
  blob: string,
  readBlob: (hash: string) => Uint8Array,
): Map<string, PackEntry> {
  const manifest = manifestIfGood(blob, readBlob);
  return manifest === null ? new Map() : packEntriesIn(manifest);
}

/** `null` if the blob is missing or damaged; errors of the disk are thrown. */
export function manifestIfGood(
  blob: string,
  readBlob: (hash: string) => Uint8Array,
): Manifest | null {
  try {
    return Manifest.parse(JSON.parse(Buffer.from(readBlob(blob)).toString('utf8')));
  } catch (error) {
    const isFailure = errorCode(error) !== '' && errorCode(error) !== 'ENOENT';
    const isOther = error instanceof TardigradeError && error.code !== 'E_JOURNAL_CORRUPT';
    if (isFailure || isOther) throw error;
    return null;
  }
}

/**
 * Reads contents by their sha256, from the packs of these manifests or from the blobs. Throws what `readBlob`
 * throws.
 */
export function contentReader(
  manifests: Iterable<string>,
  readBlob: (hash: string) => Uint8Array,
): (hash: string) => Uint8Array {
  let places: Map<string, PackEntry> | null = null;
  let last: { readonly blob: string; readonly bytes: Uint8Array } | null = null;
  const blobs = [...manifests];
  return (hash) => {
    places ??= new Map(blobs.flatMap((blob) => [...entriesOfPack(blob, readBlob)]));
    const place = places.get(hash);
    if (place === undefined) return readBlob(hash);
    const { blob } = place.pack;
    if (last?.blob !== blob) last = { blob, bytes: readBlob(blob) };
    const bytes = last.bytes.subarray(place.offset, place.offset + place.length);
    return sha256(bytes) === hash ? bytes : readBlob(hash);
  };
}
