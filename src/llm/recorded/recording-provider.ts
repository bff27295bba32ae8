// Records the requests and answers of another provider, for playing them back later.
import stringify from 'fast-json-stable-stringify';
import { adviceIn } from '../../lib/errors.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { ModelEvent, ModelRequest } from '../../schema/model/turn.ts';
import { askedThrough } from '../models/asked-through.ts';
import { type Provider, ProviderError, type StreamLimits } from '../provider.ts';
import { replyBuffer } from '../turn/reply-buffer.ts';
import { hashedSchema, hashedTools, recordedMessage } from './compare.ts';
import type { RecordedTurn } from './recording.ts';

/** The request of the last recorded turn; shared if several providers are recorded. */
export interface TurnBefore {
  messages: readonly Message[];
}

const BROKEN_OFF: RecordedTurn['failure'] = {
  status: { kind: 'invalid_response' },
  message: 'The answer broke off here.',
  hint: '',
};

const CUT_OFF: RecordedTurn['failure'] = {
  status: { kind: 'truncated' },
  message: 'The answer was cut off here.',
  hint: '',
};

/**
 * The same provider, whose turns also go to `sink`, each when it has ended. If the caller stops reading (an answer that
 * repeats itself), the text up to then is recorded. A cancelled request is left out, since its answer is unknown.
 */
export function recordingProvider(
  inner: Provider,
  sink: (turn: RecordedTurn, request: ModelRequest) => void,
  matchOf: (request: ModelRequest) => RecordedTurn['match'] = () => 'exact',
  before: TurnBefore = { messages: [] },
): Provider {
  async function* stream(
    request: ModelRequest,
    signal: AbortSignal,
    limits?: StreamLimits,
  ): AsyncGenerator<ModelEvent> {
    const reply = replyBuffer(inner.name);
    let isOpen = true;
    let hasEnded = false;
    const record = (failure?: RecordedTurn['failure']): void => {
      const turn: RecordedTurn = {
        match: matchOf(request),
        request: recordedRequest(request, before.messages),
        reply: recordedReply(reply.content()),
        ...(failure ? { failure } : {}),
      };
      isOpen = false;
      sink(turn, request);
      before.messages = request.messages;
    };
    try {
      for await (const event of inner.stream(request, signal, limits)) {
        reply.add(event);
        if (event.type === 'finished') record();
        yield event;
      }
      hasEnded = true;
    } catch (error) {
      if (error instanceof ProviderError && error.status.kind !== 'aborted') {
        const { status, message, hint } = error;
        record({ status, message, hint, ...adviceIn(error) });
      }
      isOpen = false;
      throw error;
    } finally {
      if (isOpen && !signal.aborted) record(hasEnded ? BROKEN_OFF : CUT_OFF);
    }
  }

  return { ...askedThrough(inner, (question, signal) => question(signal)), stream };
}

function recordedRequest(
  request: ModelRequest,
  previous: readonly Message[],
): RecordedTurn['request'] {
  let keep = 0;
  while (
    keep < request.messages.length &&
    keep < previous.length &&
    stringify(request.messages[keep]) === stringify(previous[keep])
  ) {
    keep += 1;
  }
  return {
    keep,
    messages: request.messages.slice(keep).map(recordedMessage),
    tools: hashedTools(request),
    schema: hashedSchema(request),
    temperature: request.temperature,
    seed: request.seed,
  };
}

function recordedReply(
  reply: ReturnType<ReturnType<typeof replyBuffer>['content']>,
): RecordedTurn['reply'] {
  return {
    content: reply.text,
    ...(reply.thinking ? { thinking: reply.thinking } : {}),
    ...(reply.calls.length > 0 ? { toolCalls: [...reply.calls] } : {}),
    ...(reply.opaque ? { opaque: reply.opaque } : {}),
    reason: reply.reason ?? 'other',
    rawReason: reply.rawReason,
    usage: reply.usage,
  };
}
