/**
 * One model turn, from request to `TurnResult`. Knows nothing about retries.
 *
 * 1. Never throws for what a provider, a model or the network does: that becomes the status of the result.
 * 2. Returns as soon as a deadline passes or the signal is aborted, whatever the provider does, and cancels the request
 *    on the wire.
 * 3. Tool calls are kept if the status is success; of an answer that was cut off at its limit, those that were complete
 *    before. Half a call is never acted on.
 */
import type { Clock } from '../../lib/clock.ts';
import { adviceIn } from '../../lib/errors.ts';
import { DEFAULT_DEADLINES } from '../../schema/config.ts';
import type { ModelEvent, ModelRequest, TurnResult, Usage } from '../../schema/model/turn.ts';
import { type Provider, ProviderError } from '../provider.ts';
import { type Deadlines, watchDeadlines } from './deadlines.ts';
import type { TurnEnding } from './ending.ts';
import { judgeFinish } from './judge-finish.ts';
import type { RepetitionOptions } from './repetition.ts';
import { type ReplyBuffer, replyBuffer } from './reply-buffer.ts';

export interface TurnOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onEvent?: (event: ModelEvent) => void;
  readonly deadlines?: Partial<Deadlines>;
  /** The minimum size of the prompt in tokens, from earlier turns; 0: unknown. */
  readonly leastPromptTokens?: number;
  /** What counts as a loop in the answer's text, in addition to the usual. */
  readonly repetition?: RepetitionOptions;
}

/** Created once: an abort without a reason creates an error with a stack each time. */
const OVER = new Error('The turn is over.');

export async function takeTurn(
  provider: Provider,
  request: ModelRequest,
  options: TurnOptions,
): Promise<TurnResult> {
  const wire = new AbortController();
  const stop = new AbortController();
  const reply = replyBuffer(provider.name, options.repetition);
  const deadlines = { ...DEFAULT_DEADLINES, ...options.deadlines };
  const watch = watchDeadlines(options.clock, deadlines, stop.signal);
  const aborted = whenAborted(options.signal, stop.signal);
  const open = () => provider.stream(request, wire.signal, deadlines);
  let hasBegun = false;
  const streamed = consume(provider.name, open, (event) => {
    // A count is no sign of the model: it may arrive at once, and the model's first word minutes later.
    if (event.type !== 'usage' && event.type !== 'prompt_read') {
      hasBegun = true;
      watch.received();
    }
    reply.add(event);
    if (!stop.signal.aborted) options.onEvent?.(event);
    return reply.problem();
  });
  try {
    const ending = await Promise.race([streamed, watch.expired, aborted]);
    if (ending) {
      // The server has read the prompt before it keeps a request waiting.
      const isWorked = hasBegun || ending.status.kind === 'timeout';
      const isUncounted = isWorked && !isCounted(reply.content().usage);
      return { ...result(ending, reply, false), ...(isUncounted ? { isUncounted } : {}) };
    }
    const judged = judgeFinish(request, reply.content(), options.leastPromptTokens);
    const judgement = result(judged, reply, ['success', 'truncated'].includes(judged.status.kind));
    return { ...judgement, ...(reply.content().isUncounted ? { isUncounted: true } : {}) };
  } finally {
    // Once a deadline or an abort has won, later errors of the provider do not matter.
    streamed.catch(() => undefined);
    stop.abort(OVER);
    wire.abort(OVER);
  }
}

/**
 * Resolves with `null` when the stream finished, with an ending if it failed. Never rejects for a provider's failure.
 */
async function consume(
  provider: string,
  open: () => AsyncIterable<ModelEvent>,
  take: (event: ModelEvent) => string | null,
): Promise<TurnEnding | null> {
  try {
    for await (const event of open()) {
      const problem = take(event);
      if (problem !== null) return { status: { kind: 'truncated' }, detail: problem };
      if (event.type === 'finished') return null;
    }
    return {
      status: { kind: 'invalid_response' },
      detail: `The answer broke off: ${provider} ended the stream without saying that it is done.`,
    };
  } catch (error) {
    if (error instanceof ProviderError) {
      const { status, message, hint } = error;
      return { status, detail: message, hint, ...adviceIn(error) };
    }
    throw error;
  }
}

const isCounted = ({ input, output, thinking, cacheRead, cacheWrite }: Usage): boolean =>
  input + output + thinking + cacheRead + cacheWrite > 0;

function whenAborted(signal: AbortSignal, stop: AbortSignal): Promise<TurnEnding> {
  const ending: TurnEnding = { status: { kind: 'aborted' }, detail: 'The request was cancelled.' };
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(ending);
    signal.addEventListener('abort', () => resolve(ending), { once: true, signal: stop });
  });
}

function result(ending: TurnEnding, reply: ReplyBuffer, isUsable: boolean): TurnResult {
  const { text, thinking, calls, opaque, rawReason, usage } = reply.content();
  const isSuccess = ending.status.kind === 'success';
  const called = isUsable && calls.length > 0;
  return {
    hint: '',
    ...ending,
    message: {
      role: 'assistant',
      content: text,
      ...(thinking ? { thinking } : {}),
      ...(called ? { toolCalls: calls } : {}),
      ...((isSuccess || called) && opaque ? { opaque } : {}),
    },
    rawReason,
    usage,
  };
}
