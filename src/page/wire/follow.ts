/**
 * Follows one stream of events until the signal is aborted, the server says that no more events follow, or it rejects
 * the token. A stream that breaks off is asked for again at once when the network returns or the tab becomes visible.
 */
import { type ClientEvent, followEvents } from '../../server/client/events-of.ts';
import { readProblem } from '../../server/client/problem.ts';
import type { Api } from './api.ts';
import type { Browser } from './browser.ts';

export interface StreamListener {
  readonly path: string;
  /** The id of the last event received before; left out: from the first event. */
  readonly after?: string;
  onEvent(event: ClientEvent): void;
  /** `opened`: events follow; `lost`: the connection broke and is tried again. */
  onStatus(status: 'opened' | 'lost' | 'ended' | 'refused'): void;
}

/** Resolves with the id of the last event received. */
export async function follow(
  { path, after = '', onEvent, onStatus }: StreamListener,
  api: Api,
  browser: Browser,
  signal: AbortSignal,
): Promise<string> {
  let last = after;
  const ask = async (own: Record<string, string>, stop: AbortSignal): Promise<Response> => {
    const headers = { ...api.headers(), ...own };
    const answer = await browser.fetch(path, { headers, credentials: 'omit', signal: stop });
    if (!answer.ok) throw await readProblem(answer);
    onStatus('opened');
    return answer;
  };
  const events = followEvents(ask, last, signal, {
    sleep: browser.sleep,
    pause: (ms) => sleepOrWake(browser, ms, signal),
    random: browser.random,
    isPatient: true,
    onLost: () => onStatus('lost'),
  });
  try {
    for await (const event of events) {
      if (event.event === 'bye') continue;
      last = event.event === 'reset' ? '' : event.id;
      onEvent(event);
    }
    if (!signal.aborted) onStatus('ended');
  } catch {
    if (!signal.aborted) onStatus('refused');
  }
  return last;
}

async function sleepOrWake(browser: Browser, ms: number, signal: AbortSignal): Promise<void> {
  const woken = new AbortController();
  const unsubscribe = browser.onWake(() => woken.abort());
  await browser.sleep(ms, AbortSignal.any([signal, woken.signal]));
  unsubscribe();
}
