/**
 * One server, from its first message to its tools. The SDK handles the protocol; apart from HTTP it opens and
 * starts nothing here.
 * 1. Connecting and listing share one deadline; each call has its own.
 * 2. A call never throws: failures are results. No call is repeated.
 * 3. However it ends, its transport is closed.
 */
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { lastInformativeLine } from '../../languages/testing/test-output.ts';
import { isRecord } from '../../lib/json-value.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import type { ToolResult } from '../../schema/actions.ts';
import type { WebServer } from '../../schema/servers.ts';
import { failed, ok } from '../result.ts';
import { type ServerFailure, serverFailureOf } from './failures.ts';
import { type OfferedServerTools, offeredServerTools } from './offered.ts';
import { webWay } from './web.ts';
import type { Wire } from './wire.ts';

/**
 * Exported here because this bundle contains all of zod; callers that parse a JSON Schema without a server use
 * it too.
 */
export { jsonSchema } from '../calls/json-schema-args.ts';

export interface Connected extends OfferedServerTools {
  call(
    tool: string,
    args: { readonly [name: string]: unknown },
    signal: AbortSignal,
  ): Promise<ToolResult>;
  /** True once no more calls are possible. */
  isOver(): boolean;
  close(): Promise<void>;
}

export interface McpConnectOptions {
  readonly name: string;
  readonly version: string;
  /** Milliseconds for connecting and listing together. */
  readonly deadlineMs: number;
  readonly callMs: number;
  readonly signal: AbortSignal;
}

/** The transport of the messages. */
interface Way {
  /** In the SDK's type. */
  readonly transport: never;
  /** The last words of a program; empty while it runs. */
  detail(): string;
  /** See `HttpTransport`. For a stdio connection the SDK itself reports the end. */
  whenEnded(listener: () => void): () => void;
  leave(): Promise<void>;
}

/** Throws an `Error` whose message gives the reason, with the program's last words. */
export async function connectServer(
  to: Wire | WebServer,
  options: McpConnectOptions,
): Promise<Connected> {
  const { name, version, deadlineMs, signal } = options;
  const way = wayTo(to);
  const client = new Client({ name: 'tardigrade-agent', version }, { jsonSchemaValidator: UNREAD });
  const within = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
  const link = { client, way, isOver: false };
  client.onclose = () => {
    link.isOver = true;
  };
  const close = async (): Promise<void> => {
    await way.leave();
    await client.close().catch(() => {});
  };
  try {
    await client.connect(way.transport, { signal: within, timeout: deadlineMs });
    // The SDK prints to stdout if it is asked for something that the server does not have.
    const hasTools = client.getServerCapabilities()?.tools !== undefined;
    const listing = { signal: within, timeout: deadlineMs };
    const { tools } = hasTools ? await client.listTools(undefined, listing) : { tools: [] };
    return {
      ...offeredServerTools(tools),
      call: (tool, args, stop) => call(link, { name, tool, args, callMs: options.callMs, stop }),
      isOver: () => link.isOver,
      close,
    };
  } catch (error) {
    await close();
    if ('start' in to) await to.close().catch(() => {});
    throw new Error(whyNot(error, way, within), { cause: error });
  }
}

/**
 * A server's output schema is not enforced: it would be compiled, and its regular expressions would run here on
 * text of the server's choice.
 */
const UNREAD = {
  getValidator: () => (data: unknown) => ({ valid: true, data }),
} as unknown as NonNullable<ClientOptions['jsonSchemaValidator']>;

function wayTo(to: Wire | WebServer): Way {
  if ('start' in to) {
    const detail = () => to.detail();
    return { transport: to as never, detail, whenEnded: () => () => {}, leave: async () => {} };
  }
  const { transport, whenEnded, leave } = webWay(to);
  return { transport: transport as never, detail: () => '', whenEnded, leave };
}

function whyNot(error: unknown, way: Way, within: AbortSignal): string {
  if (way.detail() !== '') return lastLine(way.detail());
  const { status, why } = serverFailureOf(error);
  return within.aborted || status === 'timeout' ? 'it did not answer in time' : why;
}

/** The last line that explains a failure; else the last line: a runtime may print its version behind the error. */
function lastLine(text: string): string {
  const lines = text.trim().split('\n');
  return oneLine(lastInformativeLine(lines) || (lines.at(-1) ?? ''));
}

interface Link {
  readonly client: Client;
  readonly way: Way;
  isOver: boolean;
}

interface Call {
  readonly name: string;
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
  readonly callMs: number;
  readonly stop: AbortSignal;
}

async function call(link: Link, { name, tool, args, callMs, stop }: Call): Promise<ToolResult> {
  const { client, way } = link;
  const broken = new AbortController();
  const forget = way.whenEnded(() => broken.abort());
  try {
    const answer = await client.callTool(
      { name: tool, arguments: { ...args } },
      { signal: AbortSignal.any([stop, broken.signal]), timeout: callMs },
    );
    return resultOf(answer as Answer);
  } catch (error) {
    if (stop.aborted) return failed('Cancelled.', 'cancelled');
    const { status, why } = broken.signal.aborted ? BROKEN : serverFailureOf(error);
    if (status === 'timeout')
      return failed(
        `${name} did not answer within ${callMs / 1000} s; what it did is unknown.`,
        status,
      );
    if (status === 'mcp_error') return failed(`${name} answered: ${why}`, status);
    // This ends the session; the next call begins another one.
    await client.close().catch(() => {});
    link.isOver = true;
    const words = way.detail() === '' ? '' : ` Its last words: ${lastLine(way.detail())}`;
    return failed(`${name}: ${why}. What it did of this call is unknown.${words}`, status);
  } finally {
    forget();
  }
}

const BROKEN: ServerFailure = { status: 'connection_error', why: 'its answer broke off' };

/** The parts of an answer that are used; servers send more. */
interface Answer {
  readonly content?: readonly { readonly type: string; readonly [key: string]: unknown }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** A server's answer as text; everything else is described. */
function resultOf({ content = [], structuredContent, isError }: Answer): ToolResult {
  const parts = content.map(textOf);
  if (parts.length === 0 && structuredContent !== undefined)
    parts.push(JSON.stringify(structuredContent));
  const text = parts.join('\n') || 'The server answered nothing.';
  return isError === true ? failed(text) : ok(text);
}

function textOf(block: { readonly type: string; readonly [key: string]: unknown }): string {
  const { type, text, mimeType, data, resource, uri } = block;
  if (type === 'text' && typeof text === 'string') return text;
  if (isRecord(resource) && 'text' in resource) return String(resource.text);
  const bytes = typeof data === 'string' ? `, ${Math.floor((data.length * 3) / 4)} bytes` : '';
  const where = typeof uri === 'string' ? ` ${uri}` : '';
  return `[${type}${where}${typeof mimeType === 'string' ? ` ${mimeType}` : ''}${bytes}]`;
}
