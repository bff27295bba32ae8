/** An MCP server over lines of JSON: a bundle of its own, loaded only for an agent that calls it. */
import { Readable, Writable } from 'node:stream';
import {
  fromJsonSchema,
  STDIO_DEFAULT_MAX_BUFFER_SIZE as MAX_BYTES,
  McpServer,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { orNull } from '../../lib/or-null.ts';
import { messageLines } from '../json-lines.ts';
import type { RunTool } from './run-tools.ts';

interface Caller {
  readonly input: AsyncIterable<Uint8Array>;
  /** A whole line with its end. */
  write(line: string): void;
}

interface Offer {
  readonly version: string;
  readonly tools: readonly RunTool[];
  readonly instructions: string;
  /** An error in words for the caller. */
  wordsOf(error: unknown): string;
}

/** The tools check their arguments themselves. */
const UNREAD = {
  getValidator: () => (data: unknown) => ({ valid: true, data }),
} as unknown as Parameters<typeof fromJsonSchema>[1];

/** `gone` resolves when the caller has gone. */
export function serveTools(
  { input, write }: Caller,
  { version, tools, instructions, wordsOf }: Offer,
): { readonly gone: Promise<void>; close(): Promise<void> } {
  const output = new Writable({
    decodeStrings: false,
    write: (piece: string | Buffer, _encoding, done) => {
      write(piece.toString());
      done();
    },
  });
  // The SDK's own reader drops lines that it cannot read, and ends the connection at a line that is too long.
  const lines = messageLines(input, {
    mostBytes: MAX_BYTES,
    isMessage: (value) => orNull(() => parseJSONRPCMessage(value)) !== null,
    answer: write,
  });
  const source = Readable.from(lines, { objectMode: false });
  const gone = new Promise<void>((resolve) => {
    source.once('end', resolve);
    source.once('close', resolve);
  });
  const handle = serveStdio(
    () => {
      const server = new McpServer(
        { name: 'tardigrade', title: 'Tardigrade', version },
        { capabilities: { tools: {} }, instructions },
      );
      for (const { name, description, schema, isReading, call } of tools)
        server.registerTool(
          name,
          {
            description,
            inputSchema: fromJsonSchema(schema, UNREAD),
            annotations: { readOnlyHint: isReading, openWorldHint: !isReading },
          },
          async (args, { mcpReq }) => {
            try {
              const answer = await call(args, mcpReq.signal);
              return { content: [{ type: 'text', text: JSON.stringify(answer, null, 2) }] };
            } catch (error) {
              return { content: [{ type: 'text', text: wordsOf(error) }], isError: true };
            }
          },
        );
      return server;
    },
    { transport: new StdioServerTransport(source, output) },
  );
  return { gone, close: () => handle.close() };
}
