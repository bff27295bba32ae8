// What a stream that ended well really was: a success, a cut, an empty answer, a lost prompt; pure.
import type { ModelRequest, TurnStatus } from '../schema/turn.ts';
import type { Reply } from './reply-buffer.ts';

interface Ending {
  readonly status: TurnStatus;
  readonly detail: string;
}

export function judgeFinish(request: ModelRequest, reply: Reply): Ending {
  const lost = lostPrompt(request, reply);
  if (lost !== null) return { status: { kind: 'context_overflow' }, detail: lost };
  switch (reply.reason) {
    case 'stop':
    case 'tool_calls':
      return isEmpty(reply)
        ? {
            status: { kind: 'invalid_response' },
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

const isEmpty = (reply: Reply): boolean => reply.text.trim() === '' && reply.calls.length === 0;

const promptTokens = ({ usage }: Reply): number => usage.input + usage.cacheRead + usage.cacheWrite;

/** An answer that ends before its own limit has filled the window: only a shorter prompt helps. */
function cutOff(request: ModelRequest, reply: Reply): Ending {
  const output = reply.usage.output + reply.usage.thinking;
  const isWindowFull =
    output > 0 &&
    output < request.maxOutputTokens &&
    promptTokens(reply) + output >= request.contextWindow - 1;
  return isWindowFull
    ? {
        status: { kind: 'context_overflow' },
        detail: `The context window of ${request.contextWindow} tokens was full after ${output} tokens of the answer.`,
      }
    : {
        status: { kind: 'truncated' },
        detail: `The answer was cut off at its limit of ${request.maxOutputTokens} tokens.`,
      };
}

/** No tokenizer joins words, so a prompt has at least as many tokens as words. */
const SURE_SHARE = 0.75;

/**
 * Some servers shorten a prompt that is too long without a word: they drop whole messages, or cut
 * the text to about half of the window (ollama keeps 4 or 5 tokens and the tail of the rest).
 * Then they report far fewer prompt tokens than the prompt can have had.
 */
function lostPrompt(request: ModelRequest, reply: Reply): string | null {
  const reported = promptTokens(reply);
  if (reported === 0) return null;
  const text = request.messages.map((message) => message.content).join('\n');
  const words = text.match(/\S+/g)?.length ?? 0;
  const window = request.contextWindow;
  const isHalved = [4, 5].some(
    (kept) =>
      reported === window - Math.floor((window - kept) / 2) && text.length / 4 > reported * 1.5,
  );
  if (!isHalved && reported >= words * SURE_SHARE) return null;
  return `The server read only ${reported} tokens of a prompt of at least ${words}: it was shortened without notice.`;
}
