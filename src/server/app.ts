/** The server as a whole, from listening to closing. */
import type { Server } from 'node:http';
import { misuse, type TardigradeError } from '../lib/errors.ts';
import { pathsOf } from '../lib/files/absolute-paths.ts';
import { errorCode } from '../lib/files/durable-files.ts';
import { within } from '../lib/within.ts';
import { Right } from './api/schemas.ts';
import { handlersFor } from './handlers.ts';
import { Holdings } from './holdings.ts';
import { Audit } from './http/audit.ts';
import { type ServerNames, serverNamesFor } from './http/door.ts';
import type { FrameWriter } from './http/frames.ts';
import { RequestLimits } from './http/limits.ts';
import { Once } from './http/once.ts';
import { httpServer } from './http/server.ts';
import { rightsUpTo, Tokens } from './http/tokens.ts';
import type { ServerPlace } from './place.ts';

export interface ServerOptions {
  readonly place: ServerPlace;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Further addresses that reach it, such as that of a proxy. */
  readonly others: readonly string[];
}

export interface RunningServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** Usable once within a minute. */
  link(right?: Right): string;
  /** The token for another program of the server's user; valid as long as the server runs. */
  readonly token: string;
  /** Runs and conversations continue. */
  close(): Promise<void>;
}

const POLL_MS = 300;

export async function startServer({
  place,
  host,
  port,
  others,
}: ServerOptions): Promise<RunningServer> {
  const { join } = pathsOf(place.fs.platform);
  const folder = join(place.dataFolder, 'serve');
  const tokens = new Tokens({ ...place, folder: join(folder, 'tokens') });
  const once = new Once({ ...place, folder: join(folder, 'once') });
  const holdings = new Holdings(place);
  let names: ServerNames = { hosts: new Set(), origins: new Set() };
  let url = '';
  let isStopping = false;
  const writers = new Set<FrameWriter>();
  const link = (right: Right = 'answer'): string => `${url}/#k=${tokens.link(rightsUpTo(right))}`;
  const server = httpServer({
    place,
    tokens,
    once,
    writers,
    limits: new RequestLimits(place.clock),
    audit: new Audit({ ...place, folder }),
    handlers: handlersFor(holdings, { tokens, link }),
    names: () => names,
    isStopping: () => isStopping,
    changed: holdings.changed,
  });
  once.sweep();
  const real = await listening(server, host, port);
  names = serverNamesFor(real, others);
  url = `http://${host.includes(':') ? `[${host}]` : host}:${real}`;
  const stop = place.clock.every?.(POLL_MS, () => holdings.queue.poll());
  return {
    url,
    link,
    token: tokens.own(Right.options),
    close: async () => {
      isStopping = true;
      holdings.queue.close();
      stop?.();
      for (const writer of writers) writer.bye('shutdown');
      holdings.closeFeeds();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await within(closed, LAST_WORDS_MS, place.clock);
      server.closeAllConnections();
      holdings.everything.wake();
    },
  };
}

const LAST_WORDS_MS = 500;

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)));
    server.listen({ host, port }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function cannotListen(error: Error, host: string, port: number): TardigradeError {
  const isTaken = errorCode(error) === 'EADDRINUSE';
  const message = isTaken
    ? `Port ${port} of ${host} is taken.`
    : `Nothing can listen at ${host}, port ${port} (${errorCode(error)}).`;
  return misuse(message, 'Choose another port; 0 takes one that is free.', {
    cause: error,
  });
}
