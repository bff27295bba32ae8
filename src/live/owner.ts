/**
 * The owner's side of a live channel: the process that works on a run listens here.
 *
 * 1. Nobody receives anything, and nothing received counts, before both proofs are shown.
 * 2. A connection without a proof is closed after two seconds; there are at most 32 of them.
 * 3. A faulty message closes only its own connection. The owner waits for no watcher: it closes one that does
 *    not read, which then reconnects with the id that it received last.
 * 4. It does not keep its process alive.
 */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { LineSplitter } from '../lib/text/line-splitter.ts';
import { within } from '../lib/within.ts';
import type { StreamEvent } from '../schema/events/stream.ts';
import { type HandshakeParts, OwnerHandshake } from './handshake.ts';
import {
  type ClientMessage,
  type Done,
  MAX_REQUEST_BYTES,
  MAX_UNPROVED,
  MAX_WAITING,
  type OwnerMessage,
  PROOF_MS,
  parseClientMessage,
  protocolLine,
} from './protocol.ts';
import type { Audience, Questions } from './questions.ts';
import type { NumberedEvent, RecentEvents } from './recent-events.ts';

/** Bytes that wait for a watcher to read them. */
const MAX_UNREAD = 8 * 1024 * 1024;

export interface OwnerParts extends HandshakeParts {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: RecentEvents;
  readonly questions: Questions;
  started(): StreamEvent | null;
  say(text: string): Done;
  pause(): Done;
  /** Left out, as is `close`, if only the person at the owner's terminal may type commands and end it. */
  readonly command?: ((text: string) => Promise<Done>) | undefined;
  readonly close?: (() => Done) | undefined;
}

interface Watcher {
  readonly socket: Socket;
  readonly lines: LineSplitter;
  readonly handshake: OwnerHandshake;
  readonly deadline: AbortController;
  isProved: boolean;
  /** Receives everything from here on. */
  isWatching: boolean;
  leave(): void;
}

export class LiveOwner implements Audience {
  readonly #parts: OwnerParts;
  readonly #watchers = new Set<Watcher>();
  #server: Server | null = null;

  constructor(parts: OwnerParts) {
    this.#parts = parts;
  }

  /** Rejects if nothing can listen there. */
  async listen(address: string): Promise<void> {
    const server = createServer((socket) => this.accept(socket));
    server.listen({ path: address });
    await once(server, 'listening');
    // An error of one connection affects only that connection.
    server.on('error', () => {});
    server.unref();
    this.#server = server;
  }

  emit(event: StreamEvent): void {
    this.#send({ is: 'event', ...this.#parts.log.append(event) });
  }

  opened(question: Extract<OwnerMessage, { is: 'question' }>['question']): void {
    this.#send({ is: 'question', question });
  }

  settled(id: string): void {
    this.#send({ is: 'settled', id });
  }

  /** Says goodbye and releases the address. */
  async close(): Promise<void> {
    this.#send({ is: 'bye' });
    const server = this.#server;
    const closed = new Promise<void>((resolve) => {
      if (server === null) resolve();
      else server.close(() => resolve());
    });
    for (const watcher of this.#watchers) {
      if (watcher.isProved) watcher.socket.end();
      else this.#drop(watcher);
    }
    await within(closed, LAST_WORDS_MS, this.#parts.clock);
    for (const watcher of this.#watchers) this.#drop(watcher);
  }

  accept(socket: Socket): void {
    const unproved = [...this.#watchers].filter(({ isProved }) => !isProved).length;
    socket.on('error', () => {});
    if (unproved >= MAX_WAITING) {
      socket.destroy();
      return;
    }
    const watcher: Watcher = {
      socket,
      lines: new LineSplitter(),
      handshake: new OwnerHandshake(this.#parts),
      deadline: new AbortController(),
      isProved: false,
      isWatching: false,
      leave: () => {},
    };
    this.#watchers.add(watcher);
    socket.on('data', (chunk: Buffer) => this.#hear(watcher, chunk));
    socket.on('close', () => this.#drop(watcher));
    this.#parts.clock.sleep(PROOF_MS, watcher.deadline.signal).then(
      () => this.#drop(watcher),
      () => {},
    );
  }

  #hear(watcher: Watcher, chunk: Buffer): void {
    try {
      const most = () => (watcher.isProved ? MAX_REQUEST_BYTES : MAX_UNPROVED);
      for (const line of watcher.lines.push(chunk, most)) {
        if (line === null) this.#drop(watcher);
        else this.#take(watcher, line);
      }
    } catch {
      // Invariant 3.
      this.#drop(watcher);
    }
  }

  #take(watcher: Watcher, line: string): void {
    if (!this.#watchers.has(watcher)) return;
    if (watcher.isProved) {
      const message = parseClientMessage(line);
      if (message === null) this.#drop(watcher);
      else this.#grant(watcher, message);
      return;
    }
    const next = watcher.handshake.take(line);
    if (next.do === 'refuse') {
      this.#drop(watcher);
      return;
    }
    if (next.send !== '') watcher.socket.write(next.send);
    if (!next.isProved) return;
    watcher.isProved = true;
    watcher.deadline.abort();
  }

  #grant(watcher: Watcher, message: ClientMessage): void {
    if (message.do === 'watch') {
      this.#watch(watcher, message);
      return;
    }
    const { questions, say, pause, command, close } = this.#parts;
    const { request } = message;
    const tell = (done: Done): void => this.#tell(watcher, { is: 'done', request, ...done });
    switch (message.do) {
      case 'answer':
        questions.answer(message, tell);
        return;
      case 'say':
        tell(say(message.text));
        return;
      case 'pause':
        tell(pause());
        return;
      case 'command':
        void Promise.resolve(command?.(message.text) ?? ELSEWHERE).then(tell);
        return;
      case 'close':
        tell(close?.() ?? ELSEWHERE);
        return;
      default:
        message satisfies never;
    }
  }

  #watch(watcher: Watcher, { after, answers }: Extract<ClientMessage, { do: 'watch' }>): void {
    const { log, questions, started } = this.#parts;
    if (watcher.isWatching) return;
    const from = log.startFor(after);
    const { hasPerson } = questions;
    const { last } = log;
    this.#tell(watcher, { is: 'hello', from, last, started: started(), hasPerson });
    for (const event of log.after(from)) this.#tell(watcher, eventOf(event));
    watcher.isWatching = true;
    for (const question of questions.open) this.#tell(watcher, { is: 'question', question });
    if (answers) watcher.leave = questions.join();
  }

  #send(message: OwnerMessage): void {
    const line = protocolLine(message);
    for (const watcher of this.#watchers) if (watcher.isWatching) this.#write(watcher, line);
  }

  #tell(watcher: Watcher, message: OwnerMessage): void {
    this.#write(watcher, protocolLine(message));
  }

  #write(watcher: Watcher, line: string): void {
    const { socket } = watcher;
    if (!this.#watchers.has(watcher) || socket.destroyed) return;
    if (socket.writableLength > MAX_UNREAD) this.#drop(watcher);
    else socket.write(line);
  }

  #drop(watcher: Watcher): void {
    if (!this.#watchers.delete(watcher)) return;
    watcher.deadline.abort();
    watcher.socket.destroy();
    watcher.leave();
  }
}

const ELSEWHERE: Done = {
  how: 'refused',
  why: 'This can only be done in the terminal where it is open.',
};

/** The time for the last message to arrive. */
const LAST_WORDS_MS = 500;

const eventOf = (event: NumberedEvent): OwnerMessage => ({ is: 'event', ...event });
