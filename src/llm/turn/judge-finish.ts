// Pure: what a properly ended stream really was: a success, a cut, an empty answer, a truncated prompt.
import type { Message } from '../../schema/model/messages.ts';
import { type ModelRequest, UNREADABLE_CALL } from '../../schema/model/turn.ts';
import type { TurnEnding } from './ending.ts';
import type { BufferedReply } from './reply-buffer.ts';

/** @param leastTokens the minimum size of the prompt, from earlier turns; 0: unknown. */
export function judgeFinish(
  request: ModelRequest,
  reply: BufferedReply,
  leastTokens = 0,
): TurnEnding {
  const lost = lostPrompt(request, reply, leastTokens);
  if (lost !== null) return lost;
  switch (reply.reason) {
    case 'stop':
    case 'tool_calls':
      return isEmpty(reply)
        ? {
            status: UNREADABLE_CALL,
            detail:
              'The model answered with nothing: probably a tool call that the server could not read.',
          }
        : { status: { kind: 'success' }, detail: '' };
    case 'length':
      return cutOff(request, reply);
    case 'refusal':
      return { status: { kind: 'refused' }, detail: 'The model refused to answer.' };
    case 'other':
    case null:
      return {
        status: { kind: 'invalid_response' },
        detail: `The answer ended for an unknown reason: "${reply.rawReason}".`,
      };
  }
}

const isEmpty = (reply: BufferedReply): boolean =>
  reply.text.trim() === '' && reply.calls.length === 0;

const promptTokens = ({ usage }: BufferedReply): number =>
  usage.input + usage.cacheRead + usage.cacheWrite;

/** An answer that ends before its own limit has filled the window: only a shorter prompt helps. */
function cutOff(request: ModelRequest, reply: BufferedReply): TurnEnding {
  const output = reply.usage.output + reply.usage.thinking;
  const isWindowFull =
    output > 0 &&
    output < request.maxOutputTokens &&
    promptTokens(reply) + output >= request.contextWindow - 1;
  return isWindowFull
    ? {
        status: { kind: 'context_overflow', windowTokens: request.contextWindow },
        detail: `The context window of ${request.contextWindow} tokens was full after ${output} tokens of the answer.`,
      }
    : {
        status: { kind: 'truncated' },
        detail: `The answer was cut off at its limit of ${request.maxOutputTokens} tokens.`,
      };
}

/** The share of a prompt's minimum that a count must reach: tokenizers differ. */
const SURE_OF_WORDS = 0.75;
/**
 * All of 229 turns of real runs had more tokens than growth requires, by at least 22. What a template drops from
 * earlier turns (empty thinking, a separator) is 5 tokens each.
 */
const SURE_OF_GROWTH = 0.97;
/** No text has fewer bytes per token on average: a prompt below that cannot have been too long. */
const MIN_BYTES_A_TOKEN = 1.5;

/**
 * Some servers silently shorten a prompt that is too long: they drop whole messages, or cut the text to about half of
 * the window (ollama keeps 4 or 5 tokens and the tail of the rest). Then they report fewer prompt tokens than the
 * prompt can have had.
 */
function lostPrompt(
  request: ModelRequest,
  reply: BufferedReply,
  leastTokens: number,
): TurnEnding | null {
  const reported = promptTokens(reply);
  if (reported === 0) return null;
  const window = request.contextWindow;
  const text = request.messages.map(textOf).join('\n');
  if (Buffer.byteLength(text) < window * MIN_BYTES_A_TOKEN) return null;
  const isHalved = [4, 5].some(
    (kept) =>
      reported === window - Math.floor((window - kept) / 2) && text.length / 4 > reported * 1.5,
  );
  // Thinking of earlier turns counts while a model works, and is left out later.
  const isThinking = request.messages.some((one) => one.role === 'assistant' && one.thinking);
  const byGrowth = isThinking ? 0 : leastTokens * SURE_OF_GROWTH;
  const least = Math.max(leastPieces(text) * SURE_OF_WORDS, byGrowth);
  if (!isHalved && reported >= least) return null;
  return {
    status: { kind: 'context_overflow', ...(isHalved ? { windowTokens: window } : {}) },
    detail: `The server read only ${reported} tokens of a prompt of at least ${Math.round(least)}: it was shortened without notice.`,
  };
}

/** Everything that a template certainly puts into the prompt. */
function textOf(message: Message): string {
  if (message.role !== 'assistant') return message.content;
  const texts = (message.toolCalls ?? []).flatMap(({ args }) =>
    Object.values(args).filter((value) => typeof value === 'string'),
  );
  return [message.content, ...texts].join('\n');
}

/** No tokenizer joins two words, or more than three digits; East Asian characters count for more. */
function leastPieces(text: string): number {
  const words = text.match(/[\p{L}\p{M}]+|\p{N}{1,3}/gu) ?? [];
  const wide = text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu,
  );
  return words.length + (wide?.length ?? 0) / 4;
}
