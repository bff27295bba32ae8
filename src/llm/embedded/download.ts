/**
 * Downloads one model from Hugging Face into the user's data folder.
 *
 * While it holds the file's lock, it owns `FILE.part` (the bytes so far) and `FILE.part.json` (of which content they
 * are). It never writes to FILE itself.
 * 1. FILE exists only whole and checked: it gets its name after size and SHA-256 were compared.
 * 2. Bytes of two contents are never mixed: another etag, or a server that starts over, discards the part.
 * 3. One process downloads a file; another waits for it and uses the result, or continues where it was killed.
 * 4. Everything ends: an answer takes 30 s at most, silence 60 s, and failures without a new byte are counted.
 */
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { ensureDirectory, fileKindAt, storageError } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { sha256 } from '../../lib/sha256.ts';
import { isOffline, networkFailure } from '../http/network-failures.ts';
import {
  damaged,
  downloadStopped,
  gaveUp,
  Interruption,
  noRoom,
  unreachable,
} from './download-failure.ts';
import { dropPart, faultOf, openPart, partBytes, publishPart } from './download-part.ts';
import { type FillOptions, fillPart } from './fill-part.ts';
import { askHub, hostOf, type Promised } from './hub.ts';
import { type HubFile, modelPath, modelsFolder, splitModelFiles } from './hub-file.ts';

export interface DownloadOptions extends FillOptions {
  readonly dataFolder: string;
  readonly clock: Pick<Clock, 'sleep' | 'monotonic'>;
  /**
   * Takes the lock in this existing folder; throws E_LOCKED while another process holds it. From a process of another
   * machine or container, which cannot be examined, it is taken once that has had it for longer than `longestMs`.
   */
  lock(directory: string, longestMs?: number): { release(): void };
  /** Bytes free for this user on the disk of an existing folder; `null` if unknown. */
  freeBytes(folder: string): number | null;
}

const MAX_FAILURES = 8;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const LOOK_AGAIN_MS = 1000;
/** Long enough to check 50 GB on a slow disk. */
const STILL_MS = 10 * 60_000;
/** Space that must stay free beside the model. */
const RESERVE_BYTES = 64 * 1024 * 1024;

/**
 * Returns the path of the model's (first) file, after downloading it if missing; continues what an earlier call left.
 * Throws `TardigradeError` (E_USAGE, E_DISK_FULL, E_IO, E_LOCKED) and `ProviderError`.
 */
export async function downloadModel(options: DownloadOptions): Promise<string> {
  const { hub, dataFolder, fs } = options;
  const parts = splitModelFiles(hub);
  for (const part of parts) await downloadFile({ ...options, hub: part });
  return modelPath(parts[0] ?? hub, dataFolder, fs.platform);
}

/** The model's path if it is complete; else `null`. */
export function downloadedModel(fs: FileSystem, dataFolder: string, hub: HubFile): string | null {
  const paths = splitModelFiles(hub).map((part) => modelPath(part, dataFolder, fs.platform));
  const isWhole = paths.every((path) => fileKindAt(fs, path) === 'file');
  return isWhole ? (paths[0] ?? null) : null;
}

async function downloadFile(options: DownloadOptions): Promise<void> {
  const { hub, dataFolder, fs, signal } = options;
  const file = modelPath(hub, dataFolder, fs.platform);
  if (fileKindAt(fs, file) === 'file') return;
  try {
    const name = sha256(file).slice(0, 16);
    const lockFolder = join(modelsFolder(dataFolder, fs.platform), '.locks', name);
    ensureDirectory(fs, lockFolder);
    ensureDirectory(fs, dirname(file));
    const lock = await waitForLock(options, lockFolder, file);
    try {
      if (fileKindAt(fs, file) !== 'file') await fetchWhole(options, file);
    } finally {
      lock.release();
    }
  } catch (error) {
    if (signal.aborted) throw downloadStopped(error);
    throw storageError(error, `downloading ${file}`);
  }
}

async function waitForLock(
  { lock, fs, hub, clock, signal, onProgress }: DownloadOptions,
  folder: string,
  file: string,
): Promise<{ release(): void }> {
  let isSaid = false;
  let seen = -1;
  let stillSince = clock.monotonic();
  for (;;) {
    const bytes = partBytes(fs, file);
    if (bytes !== seen) stillSince = clock.monotonic();
    seen = bytes;
    const isStill = clock.monotonic() - stillSince > STILL_MS;
    try {
      return lock(folder, isStill ? STILL_MS : undefined);
    } catch (error) {
      if (!(error instanceof TardigradeError) || error.code !== 'E_LOCKED') throw error;
      if (isStill) throw ownerStuck(file, error);
    }
    if (!isSaid) onProgress(`another process is downloading ${basename(hub.file)}: waiting for it`);
    isSaid = true;
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

/** Requests, downloads and checks until the file is complete; continues after failures that may pass. */
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
      // Earlier bytes may have been damaged when the machine went down.
      isAllOurs = true;
      best = 0;
      onProgress(
        `what was there of ${basename(hub.file)} is damaged (${fault}): once more from its start`,
      );
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      const bytes = partBytes(fs, file);
      failures = bytes > best ? 1 : failures + 1;
      best = Math.max(best, bytes);
      const isFirst = bytes === bytesAtStart && failures === 1;
      if (isNoWay(error) && (isFirst || failures >= MAX_FAILURES))
        throw unreachable(hostOf(access), bytes, error);
      if (failures >= MAX_FAILURES) throw gaveUp(hostOf(access), error.message, bytes);
      const waitMs = Math.min(
        Math.max(FIRST_PAUSE_MS * 2 ** (failures - 1), error.retryAfterMs ?? 0),
        LONGEST_PAUSE_MS,
      );
      onProgress(`${error.message}: going on in ${Math.ceil(waitMs / 1000)} s`);
      await clock.sleep(waitMs, signal);
    }
  }
}

/** An untrusted certificate will not be trusted in a minute either. */
function isNoWay(error: unknown): boolean {
  const { kind } = networkFailure(error);
  return isOffline(kind) || kind === 'certificate';
}

/** Completes the part; returns why its bytes are wrong, or ''. */
async function fetchPart(
  options: DownloadOptions,
  file: string,
  promised: Promised,
): Promise<string> {
  const { hub, fs, signal, onProgress } = options;
  const part = openPart(fs, file, promised);
  const missing = promised.bytes - part.bytes;
  const free = options.freeBytes(dirname(file));
  if (missing > 0 && free !== null && free < missing + RESERVE_BYTES)
    throw noRoom(missing + RESERVE_BYTES, free, dirname(file));
  if (missing > 0) await fillPart(options, part, promised);
  const what = promised.sha256 === null ? 'size (the server names no SHA-256)' : 'SHA-256';
  onProgress(`${basename(hub.file)}: checking its ${what}`);
  return await faultOf(fs, part.path, promised, signal);
}
