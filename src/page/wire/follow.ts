/**
 * Reads one stream of events until the signal is aborted.
 *
 * 1. A new connection asks for the events after the last id received.
 * 2. It waits 1 s to 30 s between attempts, or as long as the server asks, and connects at once when the network
 *    returns or the tab becomes visible.
 * 3. It ends when the server says that no more events follow, or rejects the token.
 */
import { FrameReader, type ReadFrame } from '../../server/client/frames.ts';
import { retryAfterIn } from '../../server/client/problem.ts';
import type { Api } from './api.ts';
import type { Browser } from './browser.ts';

export interface StreamListener {
  readonly path: string;
  /** The id of the last event received before; left out: from the first event. */
  readonly after?: string | null;
  onFrame(frame: ReadFrame): void;
  /** `opened`: events follow; `lost`: the connection broke and is tried again. */
  onStatus(status: 'opened' | 'lost' | 'ended' | 'refused'): void;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** A stream that is silent for this long, without even a comment, counts as lost. */
const SILENCE_MS = 35_000;

/** Resolves with the id of the last event received. */
export async function follow(
  { path, after = null, onFrame, onStatus }: StreamListener,
  api: Api,
  browser: Browser,
  signal: AbortSignal,
): Promise<string | null> {
  let last = after;
  let wait = FIRST_WAIT_MS;
  const receive = (frame: ReadFrame): void => {
    if (frame.id !== '') last = frame.id;
    if (frame.event === 'reset') last = null;
    wait = FIRST_WAIT_MS;
    onFrame(frame);
  };
  while (!signal.aborted) {
    let asked = 0;
    const onRetryAfter = (ms: number): void => {
      asked = ms;
    };
    const on = { onFrame: receive, onStatus, onRetryAfter };
    const status = await readOnce(path, last, { api, browser, signal, ...on });
    if (signal.aborted) return last;
    if (status !== 'lost') {
      onStatus(status);
      return last;
    }
    onStatus('lost');
    await sleepOrWake(browser, Math.max(asked, wait * (0.75 + browser.random() / 2)), signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
  return last;
}

interface Reading extends Pick<StreamListener, 'onFrame' | 'onStatus'> {
  readonly api: Api;
  readonly browser: Browser;
  readonly signal: AbortSignal;
  onRetryAfter(ms: number): void;
}

async function readOnce(
  path: string,
  last: string | null,
  { api, browser, signal, onFrame, onStatus, onRetryAfter }: Reading,
): Promise<'lost' | 'ended' | 'refused'> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal.addEventListener('abort', abort);
  try {
    const headers = { ...api.headers(), ...(last === null ? {} : { 'last-event-id': last }) };
    const answer = await browser.fetch(path, { headers, credentials: 'omit', signal: stop.signal });
    if ([401, 403, 404].includes(answer.status)) return 'refused';
    onRetryAfter(retryAfterIn(answer));
    if (!answer.ok || answer.body === null) return 'lost';
    onStatus('opened');
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const frames = new FrameReader();
    for (;;) {
      const piece = await readBeforeSilence(reader.read(), browser, stop);
      if (piece.done) return 'lost';
      for (const frame of frames.push(piece.value)) {
        if (frame.event === 'bye') return isEnd(frame) ? 'ended' : 'lost';
        onFrame(frame);
      }
    }
  } catch {
    return 'lost';
  } finally {
    signal.removeEventListener('abort', abort);
    stop.abort();
  }
}

const isEnd = ({ data }: ReadFrame): boolean => data.includes('"ended"');

async function readBeforeSilence<Piece>(
  read: Promise<Piece>,
  browser: Browser,
  stop: AbortController,
): Promise<Piece> {
  const timeout = new AbortController();
  void browser.sleep(SILENCE_MS, timeout.signal).then(() => {
    if (!timeout.signal.aborted) stop.abort();
  });
  try {
    return await read;
  } finally {
    timeout.abort();
  }
}

async function sleepOrWake(browser: Browser, ms: number, signal: AbortSignal): Promise<void> {
  const woken = new AbortController();
  const wake = () => woken.abort();
  const unsubscribe = browser.onWake(wake);
  signal.addEventListener('abort', wake);
  await browser.sleep(ms, woken.signal);
  unsubscribe();
  signal.removeEventListener('abort', wake);
}
