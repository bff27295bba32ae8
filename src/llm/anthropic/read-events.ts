// Turns the events of a streamed message into neutral ones; calls are reported once the whole answer has arrived.
import { isRecord } from '../../lib/json-value.ts';
import { own } from '../../lib/own.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { FinishReason, ModelEvent, ModelRequest, Usage } from '../../schema/model/turn.ts';
import { invalidAnswer, ProviderError } from '../provider.ts';
import { callIds } from '../wire/answered-calls.ts';
import { notAnObject, shortJson, unreadableCall } from '../wire/nesting.ts';
import { openBlock, type ReadBlock } from './read-block.ts';
import type { WireRequest } from './request-body.ts';
import type { LayoutPiece, SignedLayout } from './signed-blocks.ts';
import { usageOf, withCounts } from './usage.ts';
import { isKnownEvent, MessageStreamEvent, type UsageCounts } from './wire.ts';

/** `pause_turn` belongs to tools that run on the server; we never request one. */
const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
  pause_turn: 'other',
};

export interface StreamRequest {
  readonly request: ModelRequest;
  readonly wire: WireRequest;
  /** Milliseconds since the request was sent. */
  elapsed(): number;
}

/**
 * Unreadable data inside an answer makes the answer broken. The parser's error quotes the data, so it is not kept as
 * cause.
 */
async function* readable(events: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    yield* events;
  } catch (error) {
    throw error instanceof SyntaxError
      ? invalidAnswer('A part of the answer from Anthropic is not JSON.')
      : error;
  }
}

/** Ends with `finished`, or throws if the stream ended without a `message_stop`. */
export async function* readEvents(
  events: AsyncIterable<unknown>,
  asked: StreamRequest,
): AsyncGenerator<ModelEvent> {
  const { wire } = asked;
  const blocks = new Map<number, ReadBlock>();
  let counts: UsageCounts = {};
  let stop = { reason: '', category: '' };
  let calls = 0;
  for await (const raw of readable(events)) {
    const event = parseEvent(raw);
    switch (event?.type) {
      case undefined:
        break;
      case 'message_start':
        counts = withCounts(counts, event.message.usage);
        if (event.message.usage) yield { type: 'usage', usage: usageOf(counts, asked.elapsed()) };
        break;
      case 'content_block_start': {
        const block = openBlock(event.content_block, wire, calls);
        blocks.set(event.index, block);
        if (block.kind === 'call') calls += 1;
        yield* block.begin();
        break;
      }
      case 'content_block_delta':
        if (event.delta) yield* blocks.get(event.index)?.take(event.delta) ?? [];
        break;
      case 'content_block_stop':
        break;
      case 'message_delta':
        counts = withCounts(counts, event.usage);
        if (event.usage) yield { type: 'usage', usage: usageOf(counts, asked.elapsed()) };
        stop = {
          reason: event.delta.stop_reason ?? stop.reason,
          category: event.delta.stop_details?.category ?? stop.category,
        };
        break;
      case 'message_stop':
        yield* ending([...blocks.values()], stop, counts, asked);
        return;
    }
  }
  throw invalidAnswer('The answer broke off: the stream ended without saying that it is done.');
}

/** Null for an event of an unknown type. */
function parseEvent(raw: unknown): MessageStreamEvent | null {
  const { success, data } = MessageStreamEvent.safeParse(raw);
  if (success) return data;
  const type = isRecord(raw) ? raw.type : undefined;
  if (typeof type === 'string' && !isKnownEvent(type)) return null;
  throw invalidAnswer(`An event of the answer has an unknown form: ${shortJson(raw)}`);
}

function* ending(
  blocks: readonly ReadBlock[],
  stop: { readonly reason: string; readonly category: string },
  counts: UsageCounts,
  { request, wire, elapsed }: StreamRequest,
): Generator<ModelEvent> {
  const usage = usageOf(counts, elapsed());
  const reason = own(FINISH_REASONS, stop.reason) ?? 'other';
  if (stop.reason === 'model_context_window_exceeded' && !isSeenAsOverflow(request, usage)) {
    throw new ProviderError(
      { kind: 'context_overflow' },
      `The context window of ${request.model} is full: it is smaller than ${request.contextWindow} tokens.`,
      'A smaller context window helps, or a smaller goal.',
    );
  }
  const text = blocks.map((block) => block.lateText()).join('');
  if (text) yield { type: 'text', text };
  const isAnswerCall = wire.answerTool !== null && reason === 'tool_calls';
  const called = reason === 'length' ? beforeCut(blocks) : blocks;
  const isCalling = reason === 'tool_calls' || reason === 'length';
  const calls = isCalling ? readCalls(called, request) : new Map<ReadBlock, ToolCall>();
  for (const call of calls.values()) yield { type: 'tool_call', call };
  const signed = signedBlocks(called, calls, request.model);
  if (signed) yield { type: 'opaque', blocks: signed };
  yield {
    type: 'finished',
    reason: isAnswerCall ? 'stop' : reason,
    rawReason: stop.category ? `${stop.reason} (${stop.category})` : stop.reason,
    usage,
  };
}

/**
 * For an answer that was cut off: the blocks before the last one, up to the first unreadable call. The last block was
 * cut even if it looks complete; of a text the part that arrived is kept.
 */
function beforeCut(blocks: readonly ReadBlock[]): readonly ReadBlock[] {
  const isKept = blocks.at(-1)?.kind === 'text';
  const earlier = isKept ? blocks : blocks.slice(0, -1);
  const broken = earlier.findIndex((block) => block.kind === 'call' && !isReadable(block));
  return broken < 0 ? earlier : earlier.slice(0, broken);
}

function isReadable(block: ReadBlock): boolean {
  const { name, json } = block.call();
  try {
    argumentsOf(name, json);
    return true;
  } catch {
    return false;
  }
}

/** Whether the counts alone show that the window was full; then the error need not discard them. */
function isSeenAsOverflow({ contextWindow, maxOutputTokens }: ModelRequest, usage: Usage): boolean {
  const answer = usage.output + usage.thinking;
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return answer > 0 && answer < maxOutputTokens && prompt + answer >= contextWindow - 1;
}

function readCalls(
  blocks: readonly ReadBlock[],
  request: ModelRequest,
): ReadonlyMap<ReadBlock, ToolCall> {
  const idOf = callIds(request.messages);
  const calls = new Map<ReadBlock, ToolCall>();
  for (const block of blocks) {
    if (block.kind !== 'call') continue;
    const { id, name, json } = block.call();
    calls.set(block, { id: idOf(id), name, args: argumentsOf(name, json) });
  }
  return calls;
}

function argumentsOf(name: string, json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = json.trim() === '' ? {} : JSON.parse(json);
  } catch (cause) {
    throw unreadableCall(
      `The arguments of the call to ${name} are not JSON: ${json.slice(0, 120)}`,
      cause,
    );
  }
  if (isRecord(value)) return value;
  throw notAnObject(name, json.slice(0, 120));
}

function signedBlocks(
  blocks: readonly ReadBlock[],
  calls: ReadonlyMap<ReadBlock, ToolCall>,
  model: string,
): SignedLayout | null {
  if (!blocks.some((block) => block.kind === 'signed')) return null;
  const layout = blocks.flatMap((block): LayoutPiece[] => {
    const id = calls.get(block)?.id;
    if (block.kind === 'signed') return [{ type: 'signed', block: block.received() }];
    if (block.kind === 'call') return id === undefined ? [] : [{ type: 'call', id }];
    return block.kind === 'text' ? [{ type: 'text', length: block.textLength() }] : [];
  });
  return { model, layout };
}
