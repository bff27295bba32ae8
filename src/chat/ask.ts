/** One request to the model: sent, answered, recorded. */

import { given } from '../lib/given.ts';
import { takeTurn } from '../llm/turn/take-turn.ts';
import { tellAgain } from '../round/ask.ts';
import { seedOf, turnOutcome } from '../round/turn-outcome.ts';
import { DEFAULT_TEMPERATURE } from '../schema/config.ts';
import type { Message } from '../schema/messages.ts';
import type { ModelRequest, TurnResult } from '../schema/turn.ts';
import { nextAttempt } from '../steps/attempts.ts';
import { settingsOf } from '../steps/select.ts';
import { askedWith, askingIn, type Read, readAnswer } from './asking.ts';
import type { LiveSession } from './live-session.ts';
import { portOf } from './live-session.ts';
import { isFinalTurn } from './next.ts';
import { showingOf } from './showing.ts';

/** One attempt; what follows on a failure is a step of its own. */
export const askModel = (live: LiveSession): Promise<TurnResult | null> =>
  attemptTurn(live, 'action', () => chatRequest(live));

/**
 * One attempt; `null` where it was cancelled, which leaves nothing behind.
 * @param replaces of a summary: the messages that it stands for
 */
export async function attemptTurn(
  live: LiveSession,
  purpose: 'action' | 'summary',
  build: () => ModelRequest,
  replaces?: { readonly fromSeq: number; readonly toSeq: number },
): Promise<TurnResult | null> {
  const { context, failover, signal, clock, deadlines } = live;
  const { state } = context;
  const settings = settingsOf(state);
  const { turn, attempt } = nextAttempt(state.counters);
  const request = build();
  if (purpose === 'action') tellAgain(portOf(live));
  context.sync('request');
  const iteration = (state.chat.open?.iterations ?? 0) + 1;
  const isFinal = purpose === 'action' && isFinalTurn(state, live.limits);
  const asking = purpose === 'action' ? askingIn(live) : null;
  const counted = { iteration, isFinal, request: () => request };
  live.tell({ type: 'turn_started', purpose, target: null, ...counted });
  const showing = asking === null ? null : showingOf(asking, live);
  const result = await takeTurn(failover.inUse().provider, request, {
    ...{ signal, clock, deadlines },
    onEvent: (event) => showing?.show(event),
  });
  if (result.status.kind === 'aborted') return null;
  const read = asking === null ? SUMMARY : readAnswer(asking, result, live, `call_${turn}`);
  const { decoded, words } = read;
  // An answer outside of what it was held to is said as it came.
  const isLoose = decoded.kind === 'text' && result.status.kind === 'success';
  showing?.rest(words ?? (isLoose ? result.message.content : ''));
  if (decoded.kind === 'calls')
    for (const call of decoded.calls) live.tell({ type: 'tool_call_ready', call });
  context.record({
    type: 'turn_finished',
    ...{ turn, round: 0, purpose, attempt },
    ...(replaces === undefined ? {} : { replaces }),
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    seed: request.seed,
    ...given({ words }),
    ...turnOutcome(result, decoded, settings),
  });
  return result;
}

/** Only folded state and the journal go into it. */
export function chatRequest(live: LiveSession): ModelRequest {
  const { context } = live;
  const content = context.textOf(settingsOf(context.state).systemPrompt);
  const system = content === '' ? [] : [{ role: 'system', content } as const];
  const asking = askingIn(live);
  return { ...requestBase(live, []), ...askedWith(live, asking, system) };
}

/** What every request has. */
export function requestBase(
  { context: { state } }: LiveSession,
  messages: readonly Message[],
): Omit<ModelRequest, 'maxOutputTokens' | 'tools'> {
  const { model, temperature, seed, effort, numCtx, calling } = settingsOf(state);
  const { turn, attempt } = nextAttempt(state.counters);
  return {
    ...{ model, messages, contextWindow: numCtx },
    // A model that is held to a schema is a small one: at its own it chooses by chance.
    temperature: temperature ?? (calling === 'held' ? DEFAULT_TEMPERATURE : null),
    seed: seedOf(state.run, seed, turn, attempt),
    ...(effort === undefined ? {} : { effort }),
  };
}

const SUMMARY: Read = { decoded: { kind: 'text' } };
