/**
 * Reads the events of one stream.
 *
 * 1. A stream that breaks off, or is silent for too long, is requested again from the last received event: no event
 *    is lost.
 * 2. A refusal ends the stream. When the stream is requested again, a refusal that may pass does not: the
 *    server may still count the broken connection.
 */
import { FrameReader } from './frames.ts';
import { ServerProblem } from './problem.ts';

/** An event of a stream. */
export interface ClientEvent {
  /** '' before the first event with an id. */
  readonly id: string;
  readonly event: string;
  // docs/server.md and docs/library.md describe the fields of each event.
  readonly data: { readonly [field: string]: unknown };
}

/** Requests the stream. Throws `ServerProblem`, and what `fetch` throws. */
type Ask = (headers: Record<string, string>, stop: AbortSignal) => Promise<Response>;

/** The world outside, for callers with another one. */
export interface StreamPorts {
  /** Resolves after `ms`, or when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Waits between two attempts; this wait may end sooner. */
  pause?(ms: number, signal: AbortSignal): Promise<void>;
  /** 0 to 1. */
  random(): number;
  /** True if a refused first request is also sent again, when the refusal may pass. */
  readonly isPatient?: boolean;
  /** Called when the stream broke off; it is requested again after a pause. */
  onLost?(): void;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** The server sends something every ten seconds. */
const SILENCE_MS = 35_000;
/** Refusals that may pass: too early, too often, or still in use elsewhere. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);

export async function* followEvents(
  ask: Ask,
  after: string,
  signal: AbortSignal = new AbortController().signal,
  ports: StreamPorts = HERE,
): AsyncGenerator<ClientEvent, void> {
  let heard = after;
  let isBack = ports.isPatient ?? false;
  for (let tries = 0; !signal.aborted; tries += 1) {
    let asked = 0;
    try {
      for await (const event of eventsUntilBreak(ask, heard, signal, ports)) {
        tries = 0;
        heard = event.event === 'reset' ? '' : event.id;
        yield event;
        if (event.event === 'bye' && event.data.why !== 'shutdown') return;
      }
    } catch (error) {
      if (error instanceof ServerProblem) {
        const { status } = error.problem;
        if (status < 500 && !(isBack && PASSING.has(status))) throw error;
        asked = error.retryAfterMs;
      }
    }
    if (signal.aborted) return;
    isBack = true;
    ports.onLost?.();
    const usual = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
    const ms = Math.max(asked, usual * (0.5 + ports.random()));
    await (ports.pause ?? ports.sleep)(ms, signal);
  }
}

async function* eventsUntilBreak(
  ask: Ask,
  after: string,
  signal: AbortSignal,
  ports: StreamPorts,
): AsyncGenerator<ClientEvent, void> {
  const silent = new AbortController();
  const headers: Record<string, string> = after === '' ? {} : { 'Last-Event-ID': after };
  const stop = AbortSignal.any([signal, silent.signal]);
  const { body } = await beforeSilence(ask(headers, stop), silent, ports);
  if (body === null) return;
  const frames = new FrameReader();
  const text = body.pipeThrough(new TextDecoderStream() as never).getReader();
  try {
    for (;;) {
      const reading = text.read() as Promise<{ done: boolean; value?: string }>;
      const { done, value } = await beforeSilence(reading, silent, ports);
      if (done) return;
      for (const frame of frames.push(value ?? ''))
        yield { ...frame, id: frame.id === '' ? after : frame.id, data: JSON.parse(frame.data) };
    }
  } finally {
    await text.cancel().catch(() => {});
  }
}

async function beforeSilence<Heard>(
  hearing: Promise<Heard>,
  silent: AbortController,
  ports: StreamPorts,
) {
  const heard = new AbortController();
  void ports.sleep(SILENCE_MS, heard.signal).then(() => {
    if (!heard.signal.aborted) silent.abort();
  });
  try {
    return await hearing;
  } finally {
    heard.abort();
  }
}

/** Resolves after `ms`, or as soon as the signal is aborted. */
export const sleepUnlessAborted = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done);
  });

const HERE: StreamPorts = { sleep: sleepUnlessAborted, random: () => Math.random() };
