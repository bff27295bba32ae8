/**
 * The watcher's side of a live channel.
 *
 * 1. What the owner sends counts only after its proof.
 * 2. Every request ends: with an answer of the owner, or with the connection.
 */
import { createConnection, type Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { LineSplitter } from '../lib/text/line-splitter.ts';
import { within } from '../lib/within.ts';
import { type HandshakeParts, WatcherHandshake } from './handshake.ts';
import {
  type ClientMessage,
  type Done,
  MAX_OWNER_MESSAGE,
  MAX_UNPROVED,
  type OwnerMessage,
  parseOwnerMessage,
  protocolLine,
} from './protocol.ts';

/** Why there is no connection. */
export type NoChannel =
  /** Nobody listens there any more. */
  | 'gone'
  /** The listener does not have this user's key. */
  | 'unproved'
  | 'other_version'
  | 'silent';

export interface WatchParts extends HandshakeParts {
  readonly address: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** The id of the last event received; `null`: none. */
  readonly after: string | null;
  readonly answers: boolean;
  readonly signal: AbortSignal;
  onMessage(message: OwnerMessage): void;
}

export interface Channel {
  send(request: OutgoingMessage): Promise<Done>;
  /** `bye`: the owner has ended its work; `lost`: the connection broke; `left`: it was closed here. */
  readonly closed: Promise<'bye' | 'lost' | 'left'>;
  leave(): void;
}

type WithoutRequest<One> = One extends { readonly request: number } ? Omit<One, 'request'> : never;
/** A request that gets an answer. */
export type OutgoingMessage = WithoutRequest<ClientMessage>;

/** Longer than the owner waits for a proof. */
const PATIENCE_MS = 5000;
const LOST: Done = {
  how: 'refused',
  why: 'The connection was lost before the result arrived.',
};

/** Resolves once both sides are proved. Never rejects. */
export async function openChannel(parts: WatchParts): Promise<Channel | NoChannel> {
  const socket = createConnection({ path: parts.address });
  const watcher = new Watcher(socket, parts);
  const opened = (await within(watcher.opened, PATIENCE_MS, parts.clock)) ?? 'silent';
  if (typeof opened === 'string') socket.destroy();
  return opened;
}

class Watcher implements Channel {
  readonly closed: Channel['closed'];
  readonly opened: Promise<Channel | NoChannel>;
  readonly #socket: Socket;
  readonly #parts: WatchParts;
  readonly #lines = new LineSplitter();
  readonly #handshake: WatcherHandshake;
  readonly #waiting = new Map<number, (done: Done) => void>();
  #open: (opened: Channel | NoChannel) => void = () => {};
  #isProved = false;
  #lastRequest = 0;
  #how: 'bye' | 'lost' | 'left' = 'lost';

  constructor(socket: Socket, parts: WatchParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#handshake = new WatcherHandshake(parts);
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#open('gone');
        for (const tell of this.#waiting.values()) tell(LOST);
        this.#waiting.clear();
        resolve(this.#how);
      });
    });
    socket.on('error', () => {});
    socket.on('connect', () => socket.write(this.#handshake.opening));
    socket.on('data', (chunk: Buffer) => this.#hear(chunk));
    const leave = () => this.leave();
    if (parts.signal.aborted) leave();
    parts.signal.addEventListener('abort', leave, { once: true });
    socket.once('close', () => parts.signal.removeEventListener('abort', leave));
  }

  send(message: OutgoingMessage): Promise<Done> {
    return new Promise((resolve) => {
      if (this.#socket.destroyed) {
        resolve(LOST);
        return;
      }
      this.#lastRequest += 1;
      this.#waiting.set(this.#lastRequest, resolve);
      this.#socket.write(protocolLine({ ...message, request: this.#lastRequest }));
    });
  }

  leave(): void {
    if (this.#how === 'lost') this.#how = 'left';
    this.#socket.destroy();
  }

  #hear(chunk: Buffer): void {
    const most = () => (this.#isProved ? MAX_OWNER_MESSAGE : MAX_UNPROVED);
    for (const line of this.#lines.push(chunk, most)) {
      if (line === null) this.#socket.destroy();
      else this.#take(line);
    }
  }

  #take(line: string): void {
    if (this.#socket.destroyed) return;
    if (this.#isProved) {
      this.#receive(parseOwnerMessage(line));
      return;
    }
    const next = this.#handshake.take(line);
    if (next.do === 'refuse') {
      this.#open(next.why);
      this.#socket.destroy();
      return;
    }
    const { after, answers } = this.#parts;
    this.#isProved = true;
    this.#socket.write(
      next.send + protocolLine({ do: 'watch', after, answers } satisfies ClientMessage),
    );
    this.#open(this);
  }

  /** `null`: a message of a later version. */
  #receive(message: OwnerMessage | null): void {
    if (message === null) return;
    if (message.is === 'bye') this.#how = 'bye';
    if (message.is !== 'done') {
      this.#parts.onMessage(message);
      return;
    }
    const { request, is: _is, ...done } = message;
    this.#waiting.get(request)?.(done);
    this.#waiting.delete(request);
  }
}
