/** A TCP connection to a server. Owns the socket from its first packet to its end. */
import type { Socket } from 'node:net';
import type { SocketServer } from '../../schema/servers.ts';
import type { LineHooks, ServerChannel } from './line.ts';

/** Milliseconds the other side has to close its half. */
const LEAVE_MS = 1000;

/** Throws an `Error` with the reason if there is no connection. @param connectMs milliseconds */
export async function openSocket(
  { host, port }: SocketServer,
  hooks: LineHooks,
  { connectMs, signal }: { readonly connectMs: number; readonly signal: AbortSignal },
): Promise<ServerChannel> {
  const { createConnection } = await import('node:net');
  const socket = createConnection({ host, port });
  const where = `${host}:${port}`;
  await connected(socket, where, AbortSignal.any([signal, AbortSignal.timeout(connectMs)]));
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  let why = '';
  socket.on('error', (error) => {
    why = `the connection to ${where} broke (${codeOf(error)})`;
  });
  socket.once('close', () => hooks.onEnd(why || `${where} closed the connection`));
  socket.setEncoding('utf8');
  socket.on('data', (text) => hooks.onText(String(text)));
  return {
    write: (text) => {
      if (socket.writable) socket.write(text);
    },
    end: async () => {
      socket.end();
      const late = setTimeout(() => socket.destroy(), LEAVE_MS);
      await gone;
      clearTimeout(late);
    },
  };
}

function connected(socket: Socket, where: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = (): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError).off('connect', onConnect);
    };
    const fail = (why: string, cause?: unknown): void => {
      over();
      // Later output is ignored.
      socket.on('error', () => {}).destroy();
      reject(new Error(`${where} ${why}`, { cause }));
    };
    const onAbort = (): void => fail('did not answer in time');
    const onError = (error: Error): void => fail(`cannot be reached (${codeOf(error)})`, error);
    const onConnect = (): void => {
      over();
      resolve();
    };
    socket.once('error', onError).once('connect', onConnect);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

/** For several addresses there is a single error for all attempts, with a code but no system call. */
const codeOf = (error: Error): string => ('code' in error ? String(error.code) : error.name);
