// Translates the chunks of a streamed answer into neutral events.

import { textIn } from '../../lib/json-value.ts';
import { own } from '../../lib/own.ts';
import type { FinishReason, ModelEvent, ModelRequest } from '../../schema/model/turn.ts';
import { inAnswer } from '../http/error-body.ts';
import type { RequestTarget } from '../http/failure.ts';
import { networkFailure } from '../http/network-failures.ts';
import { invalidAnswer } from '../provider.ts';
import { shortJson } from '../wire/nesting.ts';
import { promptShare } from '../wire/prompt-share.ts';
import { type CallAssembler, callAssembler } from './assemble-calls.ts';
import { responseError } from './errors.ts';
import { type OpaqueBlocks, reasoningCollector } from './opaque.ts';
import { usageOf } from './usage.ts';
import { Chunk, type ChunkChoice, type ChunkDelta, type WireUsage } from './wire.ts';

/** Maps the server's finish reason to ours. */
const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'refusal',
  refusal: 'refusal',
};

export interface ChunkReading {
  readonly request: ModelRequest;
  readonly asked: RequestTarget;
  readonly toolName: (wireName: string) => string;
  /** Milliseconds since the request was sent. */
  readonly elapsed: () => number;
}

interface ReceivedParts {
  rawReason: string | null;
  /** True if the connection broke after the answer. */
  isCut: boolean;
  hasRefused: boolean;
  hasSpoken: boolean;
  /** The last chunk held only the token count, which comes at the very end. */
  endsCounted: boolean;
  usage: WireUsage | null;
  timings: Chunk['timings'];
}

/** Ends with `finished`, or throws if the stream ended without a reason. */
export async function* readChunks(
  chunks: AsyncIterable<unknown>,
  reading: ChunkReading,
): AsyncGenerator<ModelEvent> {
  const calls = callAssembler(reading.request, reading.toolName);
  const reasoning = reasoningCollector();
  const share = promptShare();
  const heard: ReceivedParts = {
    rawReason: null,
    hasRefused: false,
    hasSpoken: false,
    endsCounted: false,
    usage: null,
    timings: null,
    isCut: false,
  };
  try {
    for await (const raw of chunks) {
      const chunk = parseChunk(raw, reading.asked);
      yield* chunkEvents(chunk, { received: heard, calls, reasoning, share, reading });
    }
  } catch (error) {
    // OpenRouter may send an error after an answer that it has called cut off; the answer stays cut off. A
    // whole answer stays whole if the connection breaks after it.
    const ended = own(FINISH_REASONS, heard.rawReason ?? '');
    const isWhole = ended === 'stop' || ended === 'tool_calls';
    const isConnectionCut = networkFailure(error).kind === 'cut';
    if (ended !== 'length' && !(isWhole && isConnectionCut)) throw error;
    heard.isCut = true;
  }
  yield* ending(heard, calls, reasoning.blocks(), reading);
}

interface Answer {
  readonly received: ReceivedParts;
  readonly calls: CallAssembler;
  readonly reasoning: ReturnType<typeof reasoningCollector>;
  readonly share: ReturnType<typeof promptShare>;
  readonly reading: ChunkReading;
}

function* chunkEvents(
  chunk: Chunk,
  { received, calls, reasoning, share, reading }: Answer,
): Generator<ModelEvent> {
  received.usage = chunk.usage ?? received.usage;
  received.timings = chunk.timings ?? received.timings;
  if (chunk.usage)
    yield { type: 'usage', usage: usageOf(chunk.usage, received.timings, reading.elapsed()) };
  const { prompt_progress: prompt } = chunk;
  if (prompt) yield* share(prompt.processed - prompt.cache, prompt.total - prompt.cache);
  const choice = chunk.choices?.find(({ index }) => (index ?? 0) === 0);
  received.endsCounted = choice === undefined && Boolean(chunk.usage);
  if (choice === undefined) return;
  const delta = spokenIn(choice, received);
  if (delta) {
    received.hasRefused ||= Boolean(delta.refusal);
    received.hasSpoken ||= hasContent(delta);
    reasoning.add(delta.reasoning_details);
    yield* deltaEvents(delta, calls);
  }
  received.rawReason = choice.finish_reason || received.rawReason;
  if (choice.error || choice.finish_reason === 'error')
    throw responseError(inAnswer(choice.error ?? 'finish_reason: error'), reading.asked);
}

/**
 * Perplexity sends an empty `delta` beside a `message` with everything; in a stream, the message repeats the deltas.
 */
function spokenIn(
  { delta, message }: ChunkChoice,
  { hasSpoken }: ReceivedParts,
): ChunkDelta | null | undefined {
  if (!delta || !message) return delta ?? message;
  return hasSpoken || hasContent(delta) ? delta : message;
}

const hasContent = ({ content, refusal, tool_calls, ...delta }: ChunkDelta): boolean =>
  Boolean(content?.length || refusal || delta.reasoning_content || delta.reasoning) ||
  Boolean(tool_calls?.length);

function parseChunk(raw: unknown, asked: RequestTarget): Chunk {
  const { data: chunk } = Chunk.safeParse(raw);
  if (chunk === undefined)
    throw invalidAnswer(`A chunk of the answer has an unknown form: ${shortJson(raw)}`);
  if (chunk.object === 'error') throw responseError(inAnswer(raw), asked);
  return chunk;
}

function* deltaEvents(delta: ChunkDelta, calls: CallAssembler): Generator<ModelEvent> {
  const thinking = delta.reasoning_content || delta.reasoning;
  if (thinking) yield { type: 'thinking', text: thinking };
  for (const part of partsOf(delta)) if (part.text !== '') yield part;
  if (delta.refusal) yield { type: 'text', text: delta.refusal };
  for (const fragment of delta.tool_calls ?? []) yield* calls.add(fragment);
}

function partsOf({ content }: ChunkDelta): { type: 'text' | 'thinking'; text: string }[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (content ?? []).map((part) =>
    part.type === 'thinking'
      ? { type: 'thinking', text: thoughtText(part.thinking) }
      : { type: 'text', text: part.text ?? '' },
  );
}

const thoughtText = (thinking: unknown): string => {
  if (typeof thinking === 'string') return thinking;
  return Array.isArray(thinking) ? thinking.map((part) => textIn(part?.text)).join('') : '';
};

/** Of an answer that was cut off, only the calls before the cut are read. */
function* ending(
  heard: ReceivedParts,
  calls: CallAssembler,
  details: OpaqueBlocks['reasoning_details'] | null,
  { elapsed }: ChunkReading,
): Generator<ModelEvent> {
  const { rawReason, hasRefused, hasSpoken, endsCounted } = heard;
  // Some servers (Snowflake, OpenRouter in front of a few) give no reason, and only send a token count at the end.
  if (rawReason === null && !(hasSpoken && endsCounted))
    throw invalidAnswer(
      'The answer broke off: the server ended the stream without a finish_reason.',
    );
  const ended = rawReason === null ? 'stop' : (own(FINISH_REASONS, rawReason) ?? 'other');
  const named = hasRefused ? 'refusal' : ended;
  const isComplete = named === 'stop' || named === 'tool_calls';
  const whole = isComplete ? calls.finish() : named === 'length' ? calls.beforeCut() : [];
  for (const call of whole) yield { type: 'tool_call', call };
  const extras = calls.extras();
  if ((isComplete || whole.length > 0) && (details !== null || extras !== null)) {
    const blocks: OpaqueBlocks = {
      ...(details ? { reasoning_details: details } : {}),
      ...(extras ? { extra_content: extras } : {}),
    };
    yield { type: 'opaque', blocks };
  }
  yield {
    type: 'finished',
    reason: isComplete ? (whole.length > 0 ? 'tool_calls' : 'stop') : named,
    rawReason: rawReason ?? '',
    usage: usageOf(heard.usage, heard.timings, elapsed()),
    ...(heard.isCut && heard.usage === null ? { isUncounted: true } : {}),
  };
}
