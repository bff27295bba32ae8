/**
 * A server's messages, one JSON object per line, over any pair of text streams: a program's, or a socket's.
 * Implements the SDK's Transport structurally.
 */
import { isRecord, jsonIn } from '../../lib/json-value.ts';
import { LineSplitter } from '../../lib/text/line-splitter.ts';
import type { LineHooks, ServerChannel } from './line.ts';

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
  const lines = new LineSplitter();
  let isEndless = false;
  const onText = (text: string): void => {
    if (isEndless) return;
    for (const one of lines.push(Buffer.from(text), () => LONGEST_LINE)) {
      isEndless = one === null;
      const message = jsonIn(one ?? '');
      // Some servers print other text before they begin.
      if (isRecord(message)) wire.onmessage?.(message as never);
    }
    if (!isEndless) return;
    wire.onerror?.(new Error('A message of the server has no end.'));
    void wire.close();
  };
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
