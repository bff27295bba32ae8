/**
 * A server's messages, one JSON object per line, over any pair of text streams: a program's, or a socket's.
 * Implements the SDK's Transport structurally.
 */
import { isRecord, jsonIn } from '../../lib/json-value.ts';
import type { LineHooks, ServerChannel } from './line.ts';

/** A JSON-RPC message; the SDK checks its content. */
export type JsonRpcMessage = { readonly [key: string]: unknown };

export interface Wire {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  /** Why it ended, in the program's words; empty while it runs. */
  detail(): string;
}

/** More than this without a line end does not come from an MCP server. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** @param open begins the transport; called once, by the client */
export function wireOver(open: (hooks: LineHooks) => Promise<ServerChannel>): Wire {
  let line: ServerChannel | null = null;
  let said = '';
  let isOver = false;
  const over = (detail: string): void => {
    if (isOver) return;
    isOver = true;
    said = detail;
    wire.onclose?.();
  };
  const onText = inLines({
    onLine: (text) => {
      const message = parsed(text);
      // Some servers print other text before they begin.
      if (message !== null) wire.onmessage?.(message as never);
    },
    onEndless: () => {
      wire.onerror?.(new Error('A message of the server has no end.'));
      void wire.close();
    },
  });
  const wire: Wire = {
    start: async () => {
      line = await open({ onText, onEnd: over });
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

/** Joins pieces once, at the end of their line, so that the cost of a long line is linear. */
function inLines(to: { onLine(line: string): void; onEndless(): void }): (text: string) => void {
  let pieces: string[] = [];
  let length = 0;
  return (text) => {
    const [first = '', ...others] = text.split('\n');
    pieces.push(first);
    length += first.length;
    for (const next of others) {
      const line = pieces.join('');
      [pieces, length] = [[next], next.length];
      to.onLine(line);
    }
    if (length <= LONGEST_LINE) return;
    [pieces, length] = [[], 0];
    to.onEndless();
  };
}

function parsed(line: string): JsonRpcMessage | null {
  const value = jsonIn(line);
  return isRecord(value) ? value : null;
}
