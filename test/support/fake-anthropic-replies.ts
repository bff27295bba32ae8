// What the fake Anthropic answers: streams of events in the API's form, and everything that goes wrong.
import type { ServerResponse } from 'node:http';

export type AnthropicBlock = Readonly<Record<string, unknown>> & { readonly type: string };

export interface AnthropicReply {
  /** One text block, before the others. */
  readonly content?: string;
  /** Blocks as a finished message holds them; each is streamed in the pieces of its type. */
  readonly blocks?: readonly AnthropicBlock[];
  readonly model?: string;
  /** Left out: `tool_use` where there is a call, else `end_turn`. */
  readonly stopReason?: string | null;
  readonly stopDetails?: unknown;
  /** Fields of `usage` in the first and the last event. */
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly lastUsage?: Readonly<Record<string, unknown>>;
  /** Characters of a delta. */
  readonly pieceLength?: number;
  readonly noStop?: boolean;
  /** An `error` event instead of the end. */
  readonly errorEvent?: string;
  readonly error?: {
    readonly status: number;
    readonly body: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** The whole body, sent with status 200 as a stream of events, in the pieces given. */
  readonly raw?: string | readonly Uint8Array[];
  readonly cut?: 'before headers' | 'after content';
  /** The headers, what comes after them, or what comes after the content, wait for this. */
  readonly headersAfter?: Promise<void>;
  readonly bodyAfter?: Promise<void>;
  readonly endAfter?: Promise<void>;
}

const FIRST_USAGE = {
  input_tokens: 25,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: 1,
  service_tier: 'standard',
  inference_geo: 'not_available',
};

export async function sendReply(response: ServerResponse, reply: AnthropicReply): Promise<void> {
  await reply.headersAfter;
  if (reply.cut === 'before headers') return void response.destroy();
  if (reply.error) {
    const { status, body, headers } = reply.error;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  if (reply.bodyAfter) response.flushHeaders();
  await reply.bodyAfter;
  if (reply.raw !== undefined) return await sendRaw(response, reply);
  const content = eventsOf(reply).map(eventText).join('');
  if (reply.cut === 'after content') {
    await new Promise<void>((resolve) => response.write(content, () => resolve()));
    return void response.destroy();
  }
  response.write(content);
  await reply.endAfter;
  response.end(endOf(reply).map(eventText).join(''));
}

async function sendRaw(response: ServerResponse, { raw = '', cut }: AnthropicReply): Promise<void> {
  for (const piece of typeof raw === 'string' ? [raw] : raw) {
    await new Promise<void>((next) => response.write(piece, () => next()));
  }
  if (cut === 'after content') response.destroy();
  else response.end();
}

type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string };

const eventText = (event: WireEvent): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const blocksOf = ({ content, blocks = [] }: AnthropicReply): readonly AnthropicBlock[] => [
  ...(content === undefined ? [] : [{ type: 'text', text: content }]),
  ...blocks,
];

function eventsOf(reply: AnthropicReply): WireEvent[] {
  const message = {
    model: reply.model ?? 'claude-sonnet-5-5',
    id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
    type: 'message',
    role: 'assistant',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: { ...FIRST_USAGE, ...reply.usage },
  };
  const blocks = blocksOf(reply).flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: emptied(block) },
    ...(index === 0 ? [{ type: 'ping' }] : []),
    ...deltasOf(block, reply.pieceLength ?? 7).map((delta) => ({
      type: 'content_block_delta',
      index,
      delta,
    })),
    { type: 'content_block_stop', index },
  ]);
  return [{ type: 'message_start', message }, ...blocks];
}

function endOf(reply: AnthropicReply): WireEvent[] {
  if (reply.errorEvent !== undefined) {
    return [{ ...(JSON.parse(reply.errorEvent) as WireEvent), type: 'error' }];
  }
  const calls = blocksOf(reply).some((block) => block.type === 'tool_use');
  const delta = {
    stop_reason:
      reply.stopReason === undefined ? (calls ? 'tool_use' : 'end_turn') : reply.stopReason,
    stop_sequence: null,
    stop_details: reply.stopDetails ?? null,
  };
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = {
    ...FIRST_USAGE,
    ...reply.usage,
  };
  const usage = {
    input_tokens,
    cache_creation_input_tokens,
    cache_read_input_tokens,
    output_tokens: 15,
    ...reply.lastUsage,
  };
  const events: WireEvent[] = [{ type: 'message_delta', delta, usage }];
  return reply.noStop ? events : [...events, { type: 'message_stop' }];
}

/** The first event of a block names it; what it holds comes in deltas. */
function emptied(block: AnthropicBlock): AnthropicBlock {
  switch (block.type) {
    case 'text':
      return { ...block, text: '' };
    case 'tool_use':
      return block.whole
        ? { ...block, whole: undefined }
        : { ...block, input: {}, caller: { type: 'direct' } };
    case 'thinking':
      return { ...block, thinking: '', signature: '' };
    default:
      return block;
  }
}

function deltasOf(block: AnthropicBlock, length: number): unknown[] {
  switch (block.type) {
    case 'text':
      return pieces(String(block.text), length).map((text) => ({ type: 'text_delta', text }));
    case 'tool_use': {
      if (block.whole) return [];
      const json = typeof block.input === 'string' ? block.input : JSON.stringify(block.input);
      const parts = ['', ...(json === '{}' ? [] : pieces(json, length))];
      return parts.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    }
    case 'thinking':
      return [
        ...pieces(String(block.thinking), length).map((thinking) => ({
          type: 'thinking_delta',
          thinking,
        })),
        { type: 'signature_delta', signature: block.signature },
      ];
    default:
      return [];
  }
}

const pieces = (text: string, length: number): string[] =>
  text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? [];
