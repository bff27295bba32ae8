/** The share of a download that one connection brings: from the first missing byte to the last that arrives. */
import { basename } from 'node:path';
import { thrownText } from '../../lib/callback.ts';
import type { Clock } from '../../lib/clock.ts';
import { writeFully } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { within } from '../../lib/within.ts';
import type { OnDownload } from '../models/download-progress.ts';
import { downloadStopped, Interruption } from './download-failure.ts';
import type { PartialDownload } from './download-part.ts';
import { type HubAccess, openContent, type Promised } from './hub.ts';
import type { HubFile } from './hub-file.ts';

export interface FillOptions {
  readonly hub: HubFile;
  readonly access: HubAccess;
  readonly fs: FileSystem;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
  readonly onProgress: OnDownload;
}

/** A body that is silent for longer is abandoned. */
const SILENCE_MS = 60_000;

/** Resolves once all promised bytes are written. Throws `Interruption` if they end early. */
export async function fillPart(
  options: FillOptions,
  part: PartialDownload,
  promised: Promised,
): Promise<void> {
  const { access, fs, hub, clock, signal, onProgress } = options;
  const content = await openContent(access, promised, part.bytes, signal);
  const reader = content.body.getReader();
  const fd = fs.open(part.path, 'r+');
  try {
    // A server without range support sends everything again.
    if (content.from !== part.bytes) fs.ftruncate(fd, content.from);
    let at = content.from;
    const told = { name: basename(hub.file), part: hub.file, total: promised.bytes };
    onProgress({ ...told, done: at });
    while (at < promised.bytes) {
      const bytes = await nextBytes(reader, clock, signal);
      if (bytes === null) throw new Interruption(`it ended after ${at} of ${promised.bytes} bytes`);
      // Bytes beyond the promised end are ignored; the hash decides whether the file is right.
      writeFully(fs, fd, bytes.subarray(0, promised.bytes - at), at);
      at = Math.min(at + bytes.length, promised.bytes);
      onProgress({ ...told, done: at });
    }
  } finally {
    fs.close(fd);
    await reader.cancel().catch(() => {});
  }
}

/** `null` at the end of the body. */
async function nextBytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  try {
    const next = await within(reader.read(), SILENCE_MS, clock);
    if (next === null) throw new Interruption(`no byte for ${SILENCE_MS / 1000} s`);
    return next.done ? null : next.value;
  } catch (error) {
    if (signal.aborted) throw downloadStopped(error);
    if (error instanceof Interruption) throw error;
    throw new Interruption(`the connection broke (${thrownText(error)})`, null, { cause: error });
  }
}
