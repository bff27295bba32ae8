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
import { ProviderError } from '../provider.ts';
import { createClient, type OllamaClient } from './client.ts';
import { asProviderError, notOllama } from './failures.ts';
import { PullLine } from './wire.ts';

export type PullProgress =
  /** In the server's words: `pulling manifest`. */
  | { readonly kind: 'step'; readonly text: string }
  /** Of one part of the model; a model has one large part and some small ones. */
  | {
      readonly kind: 'bytes';
      readonly part: string;
      readonly done: number;
      readonly total: number;
    }
  | { readonly kind: 'interrupted'; readonly why: string; readonly waitMs: number };

export interface PullOptions {
  /** Base URL from `parseOllamaHost`. */
  readonly host: string;
  readonly model: string;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly onProgress: (progress: PullProgress) => void;
}

const WAIT_MS = 3000;

export async function pullModel(options: PullOptions): Promise<void> {
  const { host, clock, signal, onProgress } = options;
  const client = createClient({ url: host, headers: {} });
  let most = 0;
  try {
    for (;;) {
      const parts = new Map<string, number>();
      const failure = await attempt(options, client, (progress) => {
        if (progress.kind === 'bytes') parts.set(progress.part, progress.done);
        onProgress(progress);
      });
      if (failure === null) return;
      const done = [...parts.values()].reduce((sum, bytes) => sum + bytes, 0);
      if (signal.aborted || !isTransient(failure.status) || done <= most) throw failure;
      most = done;
      onProgress({ kind: 'interrupted', why: failure.message, waitMs: WAIT_MS });
      await clock.sleep(WAIT_MS, signal).catch(() => undefined);
    }
  } finally {
    client.close();
  }
}

/** `null` once the model is there. */
async function attempt(
  { host, model, signal }: PullOptions,
  client: OllamaClient,
  onProgress: PullOptions['onProgress'],
): Promise<ProviderError | null> {
  try {
    const body = { name: model, stream: true };
    let lastStep = '';
    for await (const line of client.stream({ path: '/api/pull', body, model, signal })) {
      const { data } = PullLine.safeParse(line);
      if (data === undefined) throw notOllama(host);
      const { status, digest, total, completed = 0 } = data;
      if (digest !== undefined && total !== undefined) {
        onProgress({ kind: 'bytes', part: digest, done: completed, total });
      } else if (status !== lastStep) onProgress({ kind: 'step', text: status });
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
