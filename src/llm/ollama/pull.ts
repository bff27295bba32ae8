/**
 * Lets an Ollama server download a model, and reports its progress.
 *
 * 1. The server keeps what it has: a later request continues from there.
 * 2. Aborting closes the connection, and ends the download with it.
 * 3. An attempt that breaks off is followed by another one only if it brought new bytes, so it ends.
 * 4. Every failure leaves as a `ProviderError`.
 */
import type { Clock } from '../../lib/clock.ts';
import { isTransient } from '../../schema/model/turn.ts';
import type { OnDownload } from '../models/download-progress.ts';
import { ProviderError } from '../provider.ts';
import { createClient, type OllamaClient } from './client.ts';
import { asProviderError, notOllama } from './failures.ts';
import { PullLine } from './wire.ts';

export interface PullOptions {
  /** Base URL from `parseOllamaHost`. */
  readonly host: string;
  readonly model: string;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly onProgress: OnDownload;
}

const WAIT_MS = 3000;
/** Bytes of parts that arrive at once and are not reported: a template, a licence. */
const SMALL = 1_000_000;

export async function pullModel(options: PullOptions): Promise<void> {
  const { host, clock, signal, onProgress } = options;
  const client = createClient({ url: host, headers: {} });
  let most = 0;
  try {
    for (;;) {
      const parts = new Map<string, number>();
      const failure = await attempt(options, client, parts);
      if (failure === null) return;
      const done = [...parts.values()].reduce((sum, bytes) => sum + bytes, 0);
      if (signal.aborted || !isTransient(failure.status) || done <= most) throw failure;
      most = done;
      onProgress(`${failure.message} Continuing in ${WAIT_MS / 1000} s`);
      await clock.sleep(WAIT_MS, signal).catch(() => undefined);
    }
  } finally {
    client.close();
  }
}

/** One attempt; `null` once the model is there. `parts` gets the bytes that the server has of each part. */
async function attempt(
  { host, model, signal, onProgress }: PullOptions,
  client: OllamaClient,
  parts: Map<string, number>,
): Promise<ProviderError | null> {
  try {
    const body = { name: model, stream: true };
    let lastStep = '';
    for await (const line of client.stream({ path: '/api/pull', body, model, signal })) {
      const { data } = PullLine.safeParse(line);
      if (data === undefined) throw notOllama(host);
      const { status, digest, total, completed = 0 } = data;
      if (digest !== undefined && total !== undefined) {
        parts.set(digest, completed);
        if (total >= SMALL) onProgress({ name: model, part: digest, done: completed, total });
      } else if (status !== lastStep) onProgress(`${model}: ${status}`);
      lastStep = status;
      if (status === 'success') return null;
    }
    throw new ProviderError(
      { kind: 'network_error', retryable: true },
      `Ollama at ${host} ended the download without saying that it is done.`,
      'Run the same command again: what is downloaded stays.',
    );
  } catch (error) {
    return asProviderError(error, signal, host);
  }
}
