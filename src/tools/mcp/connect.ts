/**
 * One server, from its first message to its tools. The SDK speaks the protocol; it starts nothing and opens
 * nothing by itself here.
 * 1. Connecting and listing have one deadline together; each call has its own.
 * 2. Descriptions are data: bounded, without hidden characters.
 * 3. A call never throws: what goes wrong is a result.
 */
import { Client } from '@modelcontextprotocol/client';
import { sanitize } from '../../lib/plain-text.ts';
import type { ToolResult } from '../../schema/actions.ts';
import type { JsonSchema } from '../../schema/turn.ts';
import type { ArgsSchema } from '../args-schema.ts';
import { jsonSchema } from '../json-schema-args.ts';
import { failed } from '../result.ts';
import { type Answer, resultOf } from './result.ts';
import type { Wire } from './wire.ts';

/** Its bundle is the one that has all of zod; who reads a JSON Schema without a server finds it there. */
export { jsonSchema } from '../json-schema-args.ts';

export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly args: ArgsSchema;
}

export interface Connected {
  readonly tools: readonly ServerTool[];
  call(
    tool: string,
    args: { readonly [name: string]: unknown },
    signal: AbortSignal,
  ): Promise<ToolResult>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly name: string;
  readonly version: string;
  /** Milliseconds for connecting and listing together. */
  readonly deadlineMs: number;
  readonly callMs: number;
  readonly signal: AbortSignal;
}

const MOST_TOOLS = 200;
const LONGEST_DESCRIPTION = 2000;

/** Throws an `Error` whose message says why, with the last words of the program. */
export async function connect(wire: Wire, options: ConnectOptions): Promise<Connected> {
  const { name, version, deadlineMs, callMs, signal } = options;
  const client = new Client({ name: 'tardigrade-agent', version });
  const within = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
  try {
    await client.connect(wire as never, { signal: within, timeout: deadlineMs });
    const { tools } = await client.listTools(undefined, { signal: within, timeout: deadlineMs });
    return {
      tools: tools.slice(0, MOST_TOOLS).map(({ name: tool, description, inputSchema }) => ({
        name: tool,
        description: sanitize(description ?? '').slice(0, LONGEST_DESCRIPTION),
        args: jsonSchema({ ...inputSchema } as JsonSchema),
      })),
      call: (tool, args, stop) => call(client, wire, { name, tool, args, callMs, stop }),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close().catch(() => {});
    await wire.close().catch(() => {});
    throw new Error(whyNot(error, wire, within), { cause: error });
  }
}

function whyNot(error: unknown, wire: Wire, within: AbortSignal): string {
  if (wire.detail() !== '') return lastLine(wire.detail());
  if (within.aborted) return 'it did not answer in time';
  return error instanceof Error ? error.message : String(error);
}

const lastLine = (text: string): string => sanitize(text).trim().split('\n').at(-1) ?? '';

interface Call {
  readonly name: string;
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
  readonly callMs: number;
  readonly stop: AbortSignal;
}

async function call(
  client: Client,
  wire: Wire,
  { name, tool, args, callMs, stop }: Call,
): Promise<ToolResult> {
  try {
    const answer = await client.callTool(
      { name: tool, arguments: { ...args } },
      { signal: stop, timeout: callMs },
    );
    return resultOf(answer as Answer);
  } catch (error) {
    if (stop.aborted) return failed('Cancelled.', 'cancelled');
    const why = error instanceof Error ? sanitize(error.message) : String(error);
    if (/timed? ?out/i.test(why))
      return failed(
        `${name} did not answer within ${callMs / 1000} s; what it did is unknown.`,
        'timeout',
      );
    const end = wire.detail() === '' ? '' : ` Its last words: ${lastLine(wire.detail())}`;
    return failed(`${name}: ${why}${end}`);
  }
}
