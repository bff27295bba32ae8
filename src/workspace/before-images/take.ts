/** Decides which of the user's files are kept before a command, and why others are not. */
import { errorCode, isExhausted } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { sha256 } from '../../lib/sha256.ts';
import type {
  KeptFile,
  LeftWhy,
  Manifest,
  SkippedFiles,
} from '../../schema/journal/before-images.ts';
import { readBytes } from '../files.ts';
import { judgePath } from '../path-rules.ts';
import { type FileStamp, placeIn, type WorkspaceScan } from '../scan.ts';
import type { KnownContents } from './known-contents.ts';
import type { PackEntry, Packer } from './packs.ts';

export interface BeforeImageLimits {
  readonly fileBytes: number;
  readonly totalBytes: number;
}

export const BEFORE_IMAGE_LIMITS: BeforeImageLimits = {
  fileBytes: 1024 * 1024,
  totalBytes: 50 * 1024 * 1024,
};

/** How many times the total limit may be kept during one process. */
const TIMES_OVER = 2;

export interface BeforeImageReader {
  readonly fs: FileSystem;
  /** Absolute real path. */
  readonly workspace: string;
  readonly limits: BeforeImageLimits;
  readonly known: KnownContents;
  readonly packer: Packer;
  now(): number;
  /** As `breather` makes it. */
  breathe(): Promise<void> | null;
  /** True for a content that this run left there and to which no undo goes back. */
  isOwn(path: string, hash: string): boolean;
}

export interface TakenImages {
  /** `null`: neither kept nor known. */
  readonly hashes: ReadonlyMap<string, string | null>;
  /** Paths that are kept, in order. */
  readonly kept: readonly string[];
  readonly left: ReadonlyMap<string, LeftWhy>;
}

/**
 * Takes in every file that is not the run's own, small ones first, so that the limit excludes as few as
 * possible. What an earlier scan knows is not read again.
 */
export async function takeIn(scan: WorkspaceScan, ports: BeforeImageReader): Promise<TakenImages> {
  const hashes = new Map<string, string | null>();
  const kept: string[] = [];
  const left = new Map<string, LeftWhy>(scan.unlisted);
  for (const [path, kind] of scan.others)
    if (kind === 'unknown') left.set(path, isText(path) ? 'unreadable' : 'name');
  const { totalBytes } = ports.limits;
  let room = totalBytes;
  const bySize = [...scan.files].sort(
    ([path, { size }], [other, { size: otherSize }]) => size - otherSize || (path < other ? -1 : 1),
  );
  for (const [path, seen] of bySize) {
    const breath = ports.breathe();
    if (breath) await breath;
    // This limit holds for the whole run: a file that another program keeps writing would be kept again
    // before every command.
    const roomOfRun = TIMES_OVER * totalBytes - ports.packer.bytes;
    const taken = takeFile(path, seen, Math.min(room, roomOfRun), ports);
    hashes.set(path, 'hash' in taken ? taken.hash : null);
    if ('why' in taken) left.set(path, taken.why);
    else if (taken.isKept) {
      kept.push(path);
      room -= seen.size;
    }
  }
  ports.packer.flush();
  return { hashes, kept, left };
}

type TakenFile =
  | { readonly hash: string; readonly isKept: boolean }
  | { readonly why: Exclude<LeftWhy, 'too_many'> };

function takeFile(
  path: string,
  seen: FileStamp,
  room: number,
  ports: BeforeImageReader,
): TakenFile {
  const { known, packer, isOwn } = ports;
  const recalled = known.recall(path, seen);
  if (recalled !== null && packer.places.has(recalled)) return { hash: recalled, isKept: true };
  if (!canBeNamed(path)) return { why: 'name' };
  if (seen.size > ports.limits.fileBytes) return { why: 'large' };
  if (recalled !== null && isOwn(path, recalled)) return { hash: recalled, isKept: false };
  if (seen.size > room) return { why: 'full' };
  const startedAt = ports.now();
  const bytes = bytesIfReadable(path, ports);
  if (bytes === null) return { why: 'unreadable' };
  const hash = sha256(bytes);
  known.learn(path, seen, hash, startedAt);
  if (isOwn(path, hash)) return { hash, isKept: false };
  packer.add(hash, bytes);
  return { hash, isKept: true };
}

/** False if the name is not UTF-8: node reads such bytes as U+FFFD. */
const isText = (path: string): boolean => !path.includes('\ufffd');

/** An undo finds files by the rules for written paths. */
function canBeNamed(path: string): boolean {
  const verdict = judgePath(path);
  return verdict.kind === 'ok' && verdict.segments.join('/') === path;
}

function bytesIfReadable(path: string, { fs, workspace }: BeforeImageReader): Buffer | null {
  try {
    return readBytes(fs, placeIn(fs, workspace, path));
  } catch (error) {
    if (errorCode(error) === '' || isExhausted(error)) throw error;
    return null;
  }
}

export function manifestOf(
  { kept, left }: TakenImages,
  scan: WorkspaceScan,
  known: KnownContents,
  places: ReadonlyMap<string, PackEntry>,
): Manifest {
  const packs: PackEntry['pack'][] = [];
  const indexes = new Map<string, number>();
  const indexOf = (pack: PackEntry['pack']): number => {
    const index = indexes.get(pack.blob) ?? packs.push(pack) - 1;
    indexes.set(pack.blob, index);
    return index;
  };
  const files = [...kept].sort().flatMap((path): KeptFile[] => {
    const content = known.get(path);
    const place = content && places.get(content.hash);
    if (!content || !place) return [];
    const { hash, isSure, seen } = content;
    const pack = indexOf(place.pack);
    return [{ path, hash, ...seen, size: place.length, isSure, pack, offset: place.offset }];
  });
  const paths = [...left.keys()].sort();
  return { version: 1, packs, files, left: paths, isWhole: scan.unlisted.size === 0 };
}

const NAMES_SHOWN = 5;

/** For the record and the screen; `null` if everything is kept. */
export function leftOut(left: ReadonlyMap<string, LeftWhy>): SkippedFiles | null {
  if (left.size === 0) return null;
  const why: Partial<Record<LeftWhy, number>> = {};
  for (const reason of left.values()) why[reason] = (why[reason] ?? 0) + 1;
  const names = [...left.keys()].sort().slice(0, NAMES_SHOWN);
  return { count: left.size, why, names };
}
