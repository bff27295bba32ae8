/**
 * One stream of events, for as long as somebody wants it.
 *
 * 1. Who comes back asks for what is behind the id that was heard last.
 * 2. It waits 1 s to 30 s between two attempts, and none where the network comes back or somebody looks.
 * 3. It ends when the server says that nothing more comes, or does not know the token any more.
 */
import { FrameReader, type ReadFrame } from '../../server/client/frames.ts';
import type { Api } from './api.ts';
import type { Doors } from './doors.ts';

export interface Followed {
  readonly path: string;
  hear(frame: ReadFrame): void;
  /** `opened`: from here on everything comes; `lost`: it is tried again. */
  become(how: 'opened' | 'lost' | 'ended' | 'refused'): void;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** A stream that says nothing, not even a comment, for so long is gone. */
const SILENCE_MS = 35_000;

export async function follow(
  { path, hear, become }: Followed,
  api: Api,
  doors: Doors,
  signal: AbortSignal,
): Promise<void> {
  let last: string | null = null;
  let wait = FIRST_WAIT_MS;
  const heard = (frame: ReadFrame): void => {
    if (frame.id !== '') last = frame.id;
    if (frame.event === 'reset') last = null;
    wait = FIRST_WAIT_MS;
    hear(frame);
  };
  while (!signal.aborted) {
    const how = await readOnce(path, last, { api, doors, signal, hear: heard, become });
    if (signal.aborted) return;
    if (how !== 'lost') {
      become(how);
      return;
    }
    become('lost');
    await sleepOrWake(doors, wait * (0.75 + doors.chance() / 2), signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

interface Reading extends Pick<Followed, 'hear' | 'become'> {
  readonly api: Api;
  readonly doors: Doors;
  readonly signal: AbortSignal;
}

async function readOnce(
  path: string,
  last: string | null,
  { api, doors, signal, hear, become }: Reading,
): Promise<'lost' | 'ended' | 'refused'> {
  const stop = new AbortController();
  const leave = () => stop.abort();
  signal.addEventListener('abort', leave);
  try {
    const headers = { ...api.headers(), ...(last === null ? {} : { 'last-event-id': last }) };
    const answer = await doors.fetch(path, { headers, credentials: 'omit', signal: stop.signal });
    if ([401, 403, 404].includes(answer.status)) return 'refused';
    if (!answer.ok || answer.body === null) return 'lost';
    become('opened');
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const frames = new FrameReader();
    for (;;) {
      const piece = await withinSilence(reader.read(), doors, stop);
      if (piece.done) return 'lost';
      for (const frame of frames.push(piece.value)) {
        if (frame.event === 'bye') return isEnd(frame) ? 'ended' : 'lost';
        hear(frame);
      }
    }
  } catch {
    return 'lost';
  } finally {
    signal.removeEventListener('abort', leave);
    stop.abort();
  }
}

const isEnd = ({ data }: ReadFrame): boolean => data.includes('"ended"');

async function withinSilence<Piece>(
  read: Promise<Piece>,
  doors: Doors,
  stop: AbortController,
): Promise<Piece> {
  const heard = new AbortController();
  void doors.sleep(SILENCE_MS, heard.signal).then(() => {
    if (!heard.signal.aborted) stop.abort();
  });
  try {
    return await read;
  } finally {
    heard.abort();
  }
}

async function sleepOrWake(doors: Doors, ms: number, signal: AbortSignal): Promise<void> {
  const woken = new AbortController();
  const wake = () => woken.abort();
  const quiet = doors.onWake(wake);
  signal.addEventListener('abort', wake);
  await doors.sleep(ms, woken.signal);
  quiet();
  signal.removeEventListener('abort', wake);
}
