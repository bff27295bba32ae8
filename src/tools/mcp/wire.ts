/**
 * Messages of a server, one JSON object a line, over any pair of text streams: a program's, or a socket's. The port
 * is the SDK's Transport, told by its form.
 */
import { readLine } from './lines.ts';

/** What carries the text. */
export interface Line {
  write(text: string): void;
  end(): Promise<void>;
}

export interface LineHooks {
  onText(text: string): void;
  /** Once. */
  onEnd(detail: string): void;
}

/** A message that JSON-RPC knows; what is in it is the SDK's to check. */
export type Message = { readonly [key: string]: unknown };

export interface Wire {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  /** Why it ended, in the words of the program; '' while it goes on. */
  detail(): string;
}

/** A server that sends more without an end of line is no server. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** @param open begins to carry; called once, by the client */
export function wireOver(open: (hooks: LineHooks) => Promise<Line>): Wire {
  let line: Line | null = null;
  let rest = '';
  let said = '';
  let isOver = false;
  const over = (detail: string): void => {
    if (isOver) return;
    isOver = true;
    said = detail;
    wire.onclose?.();
  };
  const wire: Wire = {
    start: async () => {
      line = await open({
        onText: (text) => {
          rest += text;
          for (let read = readLine(rest); read !== null; read = readLine(rest)) {
            rest = read.rest;
            const message = parsed(read.line);
            // Some servers print words of their own before they begin.
            if (message !== null) wire.onmessage?.(message as never);
          }
          if (rest.length > LONGEST_LINE) {
            rest = '';
            wire.onerror?.(new Error('A message of the server has no end.'));
            void wire.close();
          }
        },
        onEnd: over,
      });
    },
    send: async (message) => {
      if (isOver || line === null) throw new Error(`The server is gone. ${said}`.trim());
      line.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => {
      await line?.end();
      over('');
    },
    detail: () => said,
  };
  return wire;
}

function parsed(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Message)
      : null;
  } catch {
    return null;
  }
}
