/** One request to the model in a conversation: sent, answered, recorded. */

import { isFinalTurn } from '../../drivers/chat/next.ts';
import { DEFAULT_TEMPERATURE } from '../../schema/config.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { ModelRequest, TurnResult } from '../../schema/model/turn.ts';
import type { RunState } from '../../schema/state.ts';
import { nextAttempt } from '../../steps/attempts.ts';
import { settingsOf } from '../../steps/select.ts';
import { takeAttempt } from '../ask.ts';
import { seedOf } from '../model/turn-outcome.ts';
import { readModelsAnswer, requestKindOf, requestParts } from './asking.ts';
import type { ConversationPorts } from './conversation.ts';
import { learnOfImages } from './images.ts';
import { showingOf } from './showing.ts';

/** Makes one attempt. What follows a failure is a separate step. */
export async function askModel(live: ConversationPorts): Promise<TurnResult> {
  const { state } = live.context;
  const numbers = nextAttempt(state.counters);
  const asking = requestKindOf(live);
  const showing = showingOf(asking, live);
  const result = await takeAttempt(live, {
    ...numbers,
    purpose: 'action',
    target: null,
    request: chatRequest(live),
    counted: { iteration: nextIteration(state), isFinal: isFinalTurn(state) },
    onEvent: (event) => showing.show(event),
    read: (result) => {
      const read = readModelsAnswer(asking, result, live, `call_${numbers.turn}`);
      // An answer that ignores the schema is shown as it came.
      const isLoose = read.decoded.kind === 'text' && result.status.kind === 'success';
      showing.rest(read.words ?? (isLoose ? result.message.content : ''));
      return read;
    },
  });
  learnOfImages(live);
  return result;
}

export const nextIteration = ({ chat }: Pick<RunState, 'chat'>): number =>
  (chat?.open?.iterations ?? 0) + 1;

/** Built from folded state and journal only. */
export function chatRequest(live: ConversationPorts): ModelRequest {
  const { context } = live;
  const content = context.textOf(settingsOf(context.state).systemPrompt);
  const system = content === '' ? [] : [{ role: 'system', content } as const];
  const asking = requestKindOf(live);
  return { ...requestBase(context.state, []), ...requestParts(live, asking, system) };
}

export function requestBase(
  state: RunState,
  messages: readonly Message[],
): Omit<ModelRequest, 'maxOutputTokens' | 'tools'> {
  const { model, temperature, seed, effort, numCtx, calling } = settingsOf(state);
  const { turn, attempt } = nextAttempt(state.counters);
  return {
    model,
    messages,
    contextWindow: numCtx,
    // A model held to a schema is a small one; at its own default temperature its choices are random.
    temperature: temperature ?? (calling === 'held' ? DEFAULT_TEMPERATURE : null),
    seed: seedOf(state.run, seed, turn, attempt),
    ...(effort === undefined ? {} : { effort }),
  };
}
