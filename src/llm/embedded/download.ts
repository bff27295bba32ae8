/**
 * Downloads one model from Hugging Face into the user's data folder.
 *
 * Owns, while it holds the file's lock, `FILE.part` (what has come so far) and `FILE.part.json` (of
 * which content it is). FILE itself is never written to.
 * 1. FILE is there only whole and checked: it takes its name after size and SHA-256 were compared.
 * 2. Bytes of two contents are never mixed: another etag, or a server that begins anew, drops the part.
 * 3. One process downloads a file; another waits for it and uses what it brought.
 * 4. Everything ends: an answer takes 30 s at most, silence 60 s, failures without a new byte count.
 */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { ensureDirectory, kindOf, storageError } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { isOffline, networkFailure } from '../http/network-failures.ts';
import { damaged, gaveUp, Interruption, noRoom, stopped, unreachable } from './download-failure.ts';
import { dropPart, faultOf, openPart, partBytes, publishPart } from './download-part.ts';
import type { OnDownload } from './download-progress.ts';
import { fillPart } from './fill-part.ts';
import { askHub, type HubAccess, hostOf, type Promised } from './hub.ts';
import { type HubFile, modelPath, modelsFolder, partsOf } from './hub-file.ts';

export interface DownloadOptions {
  readonly hub: HubFile;
  readonly dataFolder: string;
  readonly access: HubAccess;
  readonly fs: FileSystem;
  readonly clock: Pick<Clock, 'sleep' | 'monotonic'>;
  /** Takes the lock that lies in this existing folder; E_LOCKED while another process has it. */
  lock(directory: string): { release(): void };
  /** Bytes free for this user on the disk of an existing folder; `null` when it cannot be asked. */
  freeBytes(folder: string): number | null;
  readonly signal: AbortSignal;
  readonly onProgress: OnDownload;
}

const MOST_FAILURES = 8;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const LOOK_AGAIN_MS = 1000;
/** Long enough to check 50 GB on a slow disk. */
const STILL_MS = 10 * 60_000;
/** What must stay free beside the model. */
const RESERVE_BYTES = 64 * 1024 * 1024;

/**
 * The path of the model's (first) file, downloaded if it is not there. What an earlier call left is
 * gone on with. Throws `TardigradeError` (E_USAGE, E_DISK_FULL, E_IO, E_LOCKED) and `ProviderError`.
 */
export async function downloadModel(options: DownloadOptions): Promise<string> {
  const { hub, dataFolder, fs } = options;
  for (const part of partsOf(hub)) await downloadFile({ ...options, hub: part });
  return modelPath(hub, dataFolder, fs.platform);
}

/** The model's path when all of it is here; else `null`. */
export function downloadedModel(fs: FileSystem, dataFolder: string, hub: HubFile): string | null {
  const paths = partsOf(hub).map((part) => modelPath(part, dataFolder, fs.platform));
  const isWhole = paths.every((path) => kindOf(fs, path) === 'file');
  return isWhole ? modelPath(hub, dataFolder, fs.platform) : null;
}

async function downloadFile(options: DownloadOptions): Promise<void> {
  const { hub, dataFolder, fs, signal } = options;
  const file = modelPath(hub, dataFolder, fs.platform);
  if (kindOf(fs, file) === 'file') return;
  try {
    const name = createHash('sha256').update(file).digest('hex').slice(0, 16);
    const lockFolder = join(modelsFolder(dataFolder, fs.platform), '.locks', name);
    ensureDirectory(fs, lockFolder);
    ensureDirectory(fs, dirname(file));
    const lock = await waitForLock(options, lockFolder, file);
    try {
      if (kindOf(fs, file) !== 'file') await fetchWhole(options, file);
    } finally {
      lock.release();
    }
  } catch (error) {
    if (signal.aborted) throw stopped(error);
    throw storageError(error, `downloading ${file}`);
  }
}

async function waitForLock(
  { lock, fs, hub, clock, signal, onProgress }: DownloadOptions,
  folder: string,
  file: string,
): Promise<{ release(): void }> {
  let seen = -1;
  let stillSince = clock.monotonic();
  for (;;) {
    try {
      return lock(folder);
    } catch (error) {
      if (!(error instanceof TardigradeError) || error.code !== 'E_LOCKED') throw error;
      const bytes = partBytes(fs, file);
      if (bytes !== seen) stillSince = clock.monotonic();
      if (clock.monotonic() - stillSince > STILL_MS) throw ownerStuck(file, error);
      seen = bytes;
    }
    onProgress(hub, { kind: 'waiting' });
    await clock.sleep(LOOK_AGAIN_MS, signal);
  }
}

const ownerStuck = (file: string, cause: unknown): TardigradeError =>
  new TardigradeError(
    'E_LOCKED',
    `another process has been downloading ${file} for minutes without a new byte`,
    'end that process, then give the same command again',
    { cause },
  );

/** Asks, downloads and checks until the file is there; goes on after what may pass. */
async function fetchWhole(options: DownloadOptions, file: string): Promise<void> {
  const { hub, access, fs, clock, signal, onProgress } = options;
  const bytesAtStart = partBytes(fs, file);
  let isAllOurs = bytesAtStart === 0;
  let best = bytesAtStart;
  let failures = 0;
  for (;;) {
    try {
      const promised = await askHub(access, hub, signal);
      const fault = await fetchPart(options, file, promised);
      if (fault === '') return publishPart(fs, file);
      dropPart(fs, file);
      if (isAllOurs) throw damaged(hostOf(access), hub.file, fault);
      // What lay here before may have suffered when the machine went down.
      isAllOurs = true;
      best = 0;
      onProgress(hub, { kind: 'anew', why: fault });
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      const bytes = partBytes(fs, file);
      failures = bytes > best ? 1 : failures + 1;
      best = Math.max(best, bytes);
      const isFirst = bytes === bytesAtStart && failures === 1;
      if (isNoWay(error) && (isFirst || failures >= MOST_FAILURES)) {
        throw unreachable(hostOf(access), bytes, error);
      }
      if (failures >= MOST_FAILURES) throw gaveUp(hostOf(access), error.message, bytes);
      const waitMs = Math.min(
        Math.max(FIRST_PAUSE_MS * 2 ** (failures - 1), error.retryAfterMs ?? 0),
        LONGEST_PAUSE_MS,
      );
      onProgress(hub, { kind: 'interrupted', why: error.message, waitMs });
      await clock.sleep(waitMs, signal);
    }
  }
}

/** A certificate that is not trusted will not be in a minute either. */
function isNoWay(error: unknown): boolean {
  const { kind } = networkFailure(error);
  return isOffline(kind) || kind === 'certificate';
}

/** Brings the part to its full length; what speaks against it then, or ''. */
async function fetchPart(
  options: DownloadOptions,
  file: string,
  promised: Promised,
): Promise<string> {
  const { hub, fs, signal, onProgress } = options;
  const part = openPart(fs, file, promised);
  const missing = promised.bytes - part.bytes;
  const free = options.freeBytes(dirname(file));
  if (missing > 0 && free !== null && free < missing + RESERVE_BYTES) {
    throw noRoom(missing + RESERVE_BYTES, free, dirname(file));
  }
  if (missing > 0) await fillPart(options, part, promised);
  onProgress(hub, { kind: 'checking', hasSha256: promised.sha256 !== null });
  return await faultOf(fs, part.path, promised, signal);
}
