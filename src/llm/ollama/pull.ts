/**
 * Lets an Ollama server download a model, and reports its progress.
 *
 * 1. The server keeps what it has: a later request continues from there.
 * 2. Aborting closes the connection, and ends the download with it.
 * 3. An attempt that breaks off is followed by another one only if it brought new bytes, so it ends.
 * 4. Every failure leaves as a `ProviderError`.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../lib/clock.ts';
import { isTransient } from '../../schema/model/turn.ts';
import { headersOf, readRefusal } from '../http/connections.ts';
import { bodyOf, type WebFetch, webFetch } from '../http/web-fetch.ts';
import { ProviderError } from '../provider.ts';
import { responseError } from './errors.ts';
import { asProviderError, notOllama } from './failures.ts';
import { readLines } from './read-lines.ts';
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
  const { clock, signal, onProgress } = options;
  const http = pullFetch(options);
  let most = 0;
  try {
    for (;;) {
      const parts = new Map<string, number>();
      const failure = await attempt(options, http, (progress) => {
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
    http.close();
  }
}

/** `null` once the model is there. */
async function attempt(
  { host, model, signal }: PullOptions,
  { fetch }: WebFetch,
  onProgress: PullOptions['onProgress'],
): Promise<ProviderError | null> {
  try {
    // Loaded here: only a download needs it.
    const { Ollama } = await import('ollama');
    const lines = await new Ollama({ host, fetch }).pull({ model, stream: true });
    let lastStep = '';
    for await (const line of lines) {
      const { data } = PullLine.safeParse(line);
      if (data === undefined) throw notOllama(host);
      const { status, digest, total, completed = 0 } = data;
      if (digest !== undefined && total !== undefined) {
        onProgress({ kind: 'bytes', part: digest, done: completed, total });
      } else if (status !== lastStep) onProgress({ kind: 'step', text: status });
      lastStep = status;
      if (status === 'success') return null;
    }
    return null;
  } catch (error) {
    return asProviderError(error, signal, host);
  }
}

/**
 * The `fetch` for the package: over our connections, without what it reveals about this machine, and with every refusal
 * as our error before the package sees it. The package would print what it cannot read.
 */
const pullFetch = ({ host, model, signal }: PullOptions): WebFetch =>
  webFetch(async ({ url, body }, connections) => {
    signal.throwIfAborted();
    const headers = { accept: 'application/x-ndjson', 'content-type': 'application/json' };
    const answer = await connections.send({ url, headers, body, signal });
    const { statusCode: status = 0 } = answer;
    const asked = { url: host, model };
    if (status >= 200 && status < 300) return new Response(bodyOf(answer, linesIn(answer, asked)));
    const header = headersOf(answer);
    throw responseError({ ...asked, status, body: await readRefusal(answer), header });
  });

/** The same lines, each parsed once: an error, or a line that is not JSON, ends the answer. */
async function* linesIn(
  answer: IncomingMessage,
  asked: { readonly url: string; readonly model: string },
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let isDone = false;
  for await (const line of readLines(answer, asked)) {
    isDone = PullLine.safeParse(line).data?.status === 'success';
    yield encoder.encode(`${JSON.stringify(line)}\n`);
  }
  if (!isDone) {
    throw new ProviderError(
      { kind: 'network_error', retryable: true },
      `Ollama at ${asked.url} ended the download without saying that it is done.`,
      'Run the same command again: what is downloaded stays.',
    );
  }
}
