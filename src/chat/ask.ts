/** One request to the model: sent, answered, recorded. */
import { createHash } from 'node:crypto';
import { adviceIn } from '../lib/errors.ts';
import { turnCost } from '../llm/models/turn-cost.ts';
import { nativeMode } from '../llm/tool-modes/native.ts';
import { outputTokens, roomyOutputTokens } from '../llm/tool-modes/tool-mode.ts';
import { takeTurn } from '../llm/turn/take-turn.ts';
import type { ChatState } from '../schema/chat-state.ts';
import type { AssistantReply, Message, ToolCall } from '../schema/messages.ts';
import type { Question } from '../schema/question.ts';
import type { Decoded } from '../schema/records.ts';
import type { ModelEvent, ModelRequest, TurnResult } from '../schema/turn.ts';
import { callAsMeant } from '../tools/normalise-call.ts';
import { namesOf } from '../tools/toolset.ts';
import { judgeCall } from '../tools/validate-call.ts';
import { afterFailure } from './failover.ts';
import type { LiveSession } from './live-session.ts';
import { asPlainText } from './message-text.ts';
import { isFinalTurn } from './next.ts';

/** Asks until an attempt is answered or nobody is left to ask; each attempt that ended is recorded. */
export async function askModel(live: LiveSession): Promise<void> {
  const { turns, attempts, passing, givenUp } = live.context.state.counters;
  live.failover.beginTurn({ turns, attempts, passing, givenUp });
  for (;;) {
    const result = await attempt(live, 'action', () => chatRequest(live));
    if (result === null) return;
    live.failover.ended(result.status);
    if ((await afterFailure(live, result)) !== 'again') return;
  }
}

/**
 * One attempt; `null` where it was cancelled, which leaves nothing behind.
 * @param replaces of a summary: the messages that it stands for
 */
export async function attempt(
  live: LiveSession,
  purpose: 'action' | 'summary',
  build: () => ModelRequest,
  replaces?: { readonly fromSeq: number; readonly toSeq: number },
): Promise<TurnResult | null> {
  const { context, failover, signal, clock, deadlines } = live;
  const { state } = context;
  const settings = settingsOf(state);
  const turn = state.counters.turns + 1;
  const request = build();
  context.sync();
  const iteration = (state.open?.iterations ?? 0) + 1;
  const isFinal = purpose === 'action' && isFinalTurn(state, live.limits);
  live.tell({ type: 'turn_started', purpose, iteration, isFinal, request: () => request });
  const result = await takeTurn(failover.inUse().provider, request, {
    ...{ signal, clock, deadlines },
    onEvent: (event) => forward(event, purpose, live),
  });
  if (result.status.kind === 'aborted') return null;
  const decoded: Decoded = purpose === 'summary' ? { kind: 'text' } : decode(result, live, turn);
  context.record({
    type: 'turn_finished',
    ...{ turn, purpose, attempt: state.counters.attempts + 1 },
    ...(replaces === undefined ? {} : { replaces }),
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    seed: request.seed,
    status: result.status,
    detail: result.detail,
    ...(result.hint === '' ? {} : { hint: result.hint, ...adviceIn(result) }),
    rawReason: result.rawReason,
    response: replyOf(result, decoded),
    decoded,
    usage: result.usage,
    ...turnCost(settings, result.usage),
  });
  if (decoded.kind === 'calls')
    for (const call of decoded.calls) live.tell({ type: 'tool_call_ready', call });
  return result;
}

export const settingsOf = ({ settings }: ChatState): NonNullable<ChatState['settings']> => {
  if (settings === null) throw new Error('The session has no settings yet.');
  return settings;
};

const QUESTION: Question = { kind: 'action', open: [] };

/** Only folded state and the journal go into it. */
export function chatRequest(live: LiveSession): ModelRequest {
  const { context } = live;
  const settings = settingsOf(context.state);
  const { callsTools, numCtx } = settings;
  const content = context.textOf(settings.systemPrompt);
  const messages: readonly Message[] = [
    ...(content === '' ? [] : [{ role: 'system', content } as const]),
    ...context.messages(),
  ];
  return {
    ...requestBase(live, messages),
    messages: callsTools ? messages : asPlainText(messages),
    ...(callsTools && !isFinalTurn(context.state, live.limits)
      ? { tools: live.definitions() }
      : {}),
    maxOutputTokens: callsTools
      ? roomyOutputTokens(QUESTION, numCtx)
      : outputTokens(QUESTION, numCtx),
  };
}

/** What every request has. */
export function requestBase(
  { context: { state } }: LiveSession,
  messages: readonly Message[],
): Omit<ModelRequest, 'maxOutputTokens' | 'tools'> {
  const { model, temperature, seed, effort, numCtx } = settingsOf(state);
  const { turns, attempts } = state.counters;
  return {
    ...{ model, messages, contextWindow: numCtx },
    temperature: temperature ?? null,
    seed: seedOf(state.session, seed, turns + 1, attempts + 1),
    ...(effort === undefined ? {} : { effort }),
  };
}

/** Nothing is random: the same session, turn and attempt always have the same seed. */
function seedOf(session: string, seed: number, turn: number, attempts: number): number {
  const words = `${session}\0${seed}\0${turn}\0${attempts}`;
  return createHash('sha256').update(words).digest().readUInt32BE(0) & 0x7fffffff;
}

/** Native calls, else those that the model wrote as text. */
function decode(result: TurnResult, live: LiveSession, turn: number): Decoded {
  const { kind } = result.status;
  if (kind !== 'success' && kind !== 'truncated') return { kind: 'text' };
  const callId = `call_${turn}`;
  const context = {
    tools: live.definitions(),
    names: namesOf(live.tools),
    callId,
    judge: (name: string, args: ToolCall['args']) =>
      judgeCall({ id: callId, name, args }, live.tools),
    target: () => ({ isFilled: false, isCode: false }),
  };
  const { decode: whole, decodeCut } = nativeMode;
  const decoded = (kind === 'success' ? whole : decodeCut)(QUESTION, result.message, context);
  if (decoded.kind !== 'calls') return decoded;
  return { ...decoded, calls: decoded.calls.map((call) => callAsMeant(call, live.tools)) };
}

/** Of an answer that was cut off the calls stay only where they are carried out. */
function replyOf({ message, status }: TurnResult, decoded: Decoded): AssistantReply {
  const { content, thinking, ...called } = message;
  const isUsed = status.kind === 'success' || decoded.kind === 'calls';
  const { toolCalls, opaque } = isUsed ? called : {};
  return {
    content,
    ...(thinking === undefined ? {} : { thinking }),
    ...(toolCalls === undefined ? {} : { toolCalls: [...toolCalls] }),
    ...(opaque === undefined ? {} : { opaque }),
  };
}

/** A summary is nobody's answer. */
function forward(event: ModelEvent, purpose: 'action' | 'summary', live: LiveSession): void {
  if (purpose === 'summary') return;
  switch (event.type) {
    case 'text':
    case 'thinking':
      live.tell({ type: event.type, text: event.text });
      break;
    case 'tool_call_started':
      live.tell({ type: event.type, index: event.index, name: event.name });
      break;
    case 'tool_call_arguments':
      live.tell({ type: event.type, index: event.index, text: event.text });
      break;
    default:
  }
}
