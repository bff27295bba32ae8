/**
 * Sends frames to one client.
 *
 * 1. A client that does not read affects no other: its pieces are dropped first, then it is cut off. It reconnects
 *    with the id that it received last.
 * 2. Something is sent every ten seconds, and a client that has read nothing for thirty seconds is cut off.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import { SAFE_HEADERS } from './page.ts';

const RETRY_MS = 2000;
const BEAT_MS = 10_000;
/** Heartbeats without anything read. */
const MAX_BEATS = 3;
const MAX_PIECES = 1024 * 1024;
const MAX_UNREAD = 8 * 1024 * 1024;

export interface Frame {
  /** `null`: it has none. */
  readonly id: string | null;
  readonly event: string;
  readonly data: object;
}

export const frameText = ({ id, event, data }: Frame): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

export class FrameWriter {
  readonly #response: ServerResponse;
  readonly #gone = new AbortController();
  #dropped = 0;
  #written = 0;
  #read = { upTo: 0, beats: 0 };

  constructor(response: ServerResponse, clock: Pick<Clock, 'every'>) {
    this.#response = response;
    // The end of the connection ends the answer: a chunk length before each frame would double the work.
    response.removeHeader('Transfer-Encoding');
    response.writeHead(200, {
      ...SAFE_HEADERS,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
    const stop = clock.every?.(BEAT_MS, () => this.#beat());
    response.on('error', () => {});
    response.on('close', () => {
      stop?.();
      this.#gone.abort();
    });
  }

  #beat(): void {
    const response = this.#response;
    const upTo = this.#written - response.writableLength;
    // The count can be negative, since the head of the answer is counted as waiting but not as written.
    const isStuck = response.writableLength > 0 && upTo <= this.#read.upTo;
    this.#read = { upTo, beats: isStuck ? this.#read.beats + 1 : 0 };
    if (this.#read.beats >= MAX_BEATS) response.destroy();
    else this.#put(': \n\n');
  }

  #put(frame: string | Buffer): void {
    const bytes = typeof frame === 'string' ? Buffer.from(frame) : frame;
    this.#written += bytes.length;
    this.#connection.write(bytes);
  }

  /**
   * The raw socket, which saves a quarter of the time of each frame. The response has no socket before its
   * turn.
   */
  get #connection(): Socket | ServerResponse {
    return this.#response.socket ?? this.#response;
  }

  /** Aborted when the client has gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  send(frame: Frame): void {
    this.write(frameText(frame));
  }

  /**
   * @param frame the text of the frame, as a string or as bytes
   * @param isPiece true if the frame may be dropped for a slow client
   * @returns false if the frame was dropped
   */
  write(frame: string | Buffer, isPiece = false): boolean {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return true;
    if (isPiece && response.writableLength > MAX_PIECES) {
      this.#dropped += 1;
      return false;
    }
    if (response.writableLength > MAX_UNREAD) {
      response.destroy();
      return true;
    }
    if (this.#dropped > 0) {
      const data = { kind: 'pieces_dropped', data: { count: this.#dropped } };
      this.#dropped = 0;
      this.#put(frameText({ id: null, event: 'trace', data }));
    }
    this.#put(frame);
    return true;
  }

  /** Waits until a slow client has caught up. */
  async drained(): Promise<void> {
    const connection = this.#connection;
    if (!connection.writableNeedDrain) return;
    // Rejects if the client has gone.
    await once(connection, 'drain', { signal: this.gone }).catch(() => undefined);
  }

  bye(why: 'ended' | 'shutdown'): void {
    if (this.#response.writableEnded) return;
    this.send({ id: null, event: 'bye', data: { why } });
    this.#response.end();
  }
}
