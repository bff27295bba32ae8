/** Everything that listening needs, as one bundle: loaded once a request has been sent, or a question waits. */
import { createServer } from 'node:net';
import { discard, errorCode } from '../lib/files/durable-files.ts';
import { keepNote, newAddress, sweepDead } from './address.ts';
import { liveKey } from './handshake.ts';
import { LiveOwner, type OwnerParts } from './owner.ts';
import { RecentEvents } from './recent-events.ts';
import type { LivePlace } from './socket-folder.ts';

export interface LiveSessionOptions extends Omit<OwnerParts, 'key' | 'run' | 'random' | 'log'> {
  readonly place: LivePlace;
  /** The user's key; `null`: there is none, so neither side could prove anything. */
  readonly originKey: Uint8Array | null;
  readonly run: string;
  /** Absolute real path. */
  readonly workspace: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The id of the last event of a record that was reported. */
  readonly last: string;
}

export interface LiveChannel {
  /** `null`: nobody can listen here. */
  readonly owner: LiveOwner | null;
  close(): Promise<void>;
}

/** Never throws: if nothing can listen, the work continues, and the note says why. */
export async function openChannelFor(request: LiveSessionOptions): Promise<LiveChannel> {
  const { place } = request;
  sweepDead(place);
  const { owner, address, why } = await listeningFor(request);
  const takeAway = noted(request, address, why);
  return {
    owner,
    close: async () => {
      takeAway();
      await owner?.close();
      // Node removes the socket itself, unless it was closed while it was being opened.
      if (address !== null && place.fs.platform !== 'win32') discard(place.fs, address);
    },
  };
}

const NO_KEY = 'This user has no key to prove anything with.';

async function listeningFor(request: LiveSessionOptions) {
  const { place, originKey, run, last } = request;
  if (originKey === null) return { owner: null, address: null, why: NO_KEY };
  const found = newAddress(place);
  if ('why' in found) return { owner: null, address: null, why: found.why };
  const { address } = found;
  const parts = { ...request, key: liveKey(originKey), run, random: place.random };
  const owner = new LiveOwner({ ...parts, log: new RecentEvents(last) });
  try {
    await owner.listen(address);
    return { owner, address, why: '' };
  } catch (error) {
    return {
      owner: null,
      address: null,
      why: `Nothing can listen at ${address} (${codeOf(error)}).`,
    };
  }
}

const codeOf = (error: unknown): string => errorCode(error) || String(error);

/** Whether a socket can be opened here: '' if it can, else why not, as a whole sentence. */
export async function whyNotHere(place: LivePlace): Promise<string> {
  const found = newAddress(place);
  if ('why' in found) return found.why;
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) =>
      resolve(`Nothing can listen at ${found.address} (${codeOf(error)}).`),
    );
    server.listen({ path: found.address }, () => server.close(() => resolve('')));
  });
}

/** A failure to store the note does not affect the work. */
function noted(
  { place, run, workspace, since }: LiveSessionOptions,
  address: string | null,
  why: string,
): () => void {
  try {
    return keepNote(place, { run, workspace, since, address, why });
  } catch {
    return () => {};
  }
}
