/** One question to the model: sent, answered, recorded. */

import { briefSchemaOf } from '../decompose/brief/brief-schema.ts';
import { plannableOf, planSchemaOf } from '../decompose/plan-schema.ts';
import { isTestPath } from '../languages/languages.ts';
import { defined } from '../lib/defined.ts';
import { nameOf } from '../llm/failover/candidate.ts';
import { verdictOf } from '../llm/failover/retry.ts';
import { askedFor } from '../llm/failover/shared.ts';
import { type TurnOptions, takeTurn } from '../llm/turn/take-turn.ts';
import { DEFAULT_TEMPERATURE } from '../schema/config.ts';
import { type ModelQuestion, purposeOf } from '../schema/model/question.ts';
import {
  type ModelEvent,
  type ModelRequest,
  type TurnPurpose,
  type TurnResult,
  withHint,
} from '../schema/model/turn.ts';
import type { Decoded } from '../schema/records.ts';
import { isFirstOfModel, nextAttempt } from '../steps/attempts.ts';
import { isReplan } from '../steps/planning.ts';
import { settingsOf } from '../steps/select.ts';
import type { Step } from '../steps/step.ts';
import { driverIn, driverViewOf, type ViewPort } from './driver-view.ts';
import { decodeContext } from './model/decode-context.ts';
import type { LearnPort } from './model/learn.ts';
import { sendToModel } from './model/send-to-model.ts';
import { seedOf, turnOutcome } from './model/turn-outcome.ts';
import { reportRetry, type WaitPort } from './model/wait.ts';
import { leastPromptTokens, takesLessMemory, verifyWindow } from './model/window.ts';
import type { RunPorts } from './run-ports.ts';
import { type TimePort, withinTime } from './within-time.ts';

type Ask = Extract<Step, { do: 'ask' }>;

/** What a request is built from. */
export type RequestPort = Pick<RunPorts, 'context' | 'tools' | 'names' | 'definitions'>;
type DecodePort = RequestPort & Pick<RunPorts, 'world' | 'policy'>;
/** What one attempt needs. */
type TurnPort = DecodePort &
  TimePort &
  Pick<RunPorts, 'provider' | 'failover' | 'clock' | 'signal' | 'deadlines' | 'emit'>;
export type AskPort = TurnPort & ViewPort & LearnPort;

/** Each refused answer raises the temperature by this much, up to `HOTTEST`. */
const HEAT = 0.3;
const HOTTEST = 1;

/**
 * Adds the question unless the conversation already ends with it, sends the request once, and records the
 * response if it ended. A cancelled request leaves no trace. What follows a failure is a separate step.
 */
export async function ask(step: Ask, run: AskPort): Promise<void> {
  const { context } = run;
  const { turns, attempts } = context.state.counters;
  // The first turn loads the model. The check comes here because a crash may come between the two.
  if (turns === 1 && attempts === 0) await verifyWindow(run);
  if (step.cause)
    sendToModel(run, { cause: step.cause, ...driverIn(run).question(step, driverViewOf(run)) });
  const isFirst = isFirstOfModel(context.state);
  const result = await attemptTurn(step, run);
  if (takesLessMemory(run, result.status)) return;
  if (result.status.kind === 'success' && isFirst) await verifyWindow(run);
}

function attemptTurn(step: Ask, run: TurnPort): Promise<TurnResult> {
  const { state } = run.context;
  const numbers = nextAttempt(state.counters);
  const target = step.question.kind === 'content' ? step.question.file : null;
  return takeAttempt(run, {
    ...numbers,
    target,
    purpose: purposeOf(step.question, isReplan(state)),
    request: modelRequestFor(step, run, numbers),
    leastPromptTokens: leastPromptTokens(state),
    repetition: { counts: target !== null && isTestPath(target) },
    onEvent: (event) => forward(event, run),
    read: (result) => ({ decoded: decode(step.question, result, run, `call_${numbers.turn}`) }),
  });
}

export type AttemptPort = WaitPort & TimePort & Pick<RunPorts, 'deadlines' | 'cooldowns'>;

/** What was read from the answer, and the part for the person if that differs from the answer. */
export interface Read {
  readonly decoded: Decoded;
  readonly words?: string;
}

interface Attempt extends Pick<TurnOptions, 'leastPromptTokens' | 'repetition' | 'onEvent'> {
  readonly turn: number;
  readonly attempt: number;
  readonly purpose: TurnPurpose;
  readonly target: string | null;
  readonly request: ModelRequest;
  /** Set in a conversation. */
  readonly counted?: { readonly iteration: number; readonly isFinal: boolean };
  /** For a summary: the messages that it replaces. */
  readonly replaces?: { readonly fromSeq: number; readonly toSeq: number } | undefined;
  read(result: TurnResult): Read;
}

/** Sends one request and records the answer. A cancelled request leaves no trace. */
export async function takeAttempt(run: AttemptPort, asked: Attempt): Promise<TurnResult> {
  const { context, failover, emit } = run;
  const { turn, attempt, purpose, target, request, counted, replaces, read, ...options } = asked;
  const settings = settingsOf(context.state);
  if (purpose !== 'summary') reportRetryNow(run);
  context.sync('request');
  emit({ type: 'turn_started', purpose, target, ...counted, request: () => request });
  const { clock, deadlines } = run;
  const { provider } = failover.inUse();
  const take = (signal: AbortSignal) =>
    takeTurn(provider, request, { signal, clock, deadlines, ...options });
  // A free request is simply repeated by the next start. A paid answer is awaited even beyond the time limit.
  const result = await (provider.isFree?.(request.model)
    ? withinTime(run, take)
    : take(run.signal));
  if (result.status.kind === 'aborted') return result;
  const { decoded, words } = read(result);
  if (decoded.kind === 'calls')
    for (const call of decoded.calls) emit({ type: 'tool_call_ready', call });
  context.record({
    type: 'turn_finished',
    turn,
    round: context.state.round?.n ?? 0,
    attempt,
    purpose,
    ...defined({
      modelRole: replaces ? 'summary' : settings.modelRole,
      target: target ?? undefined,
      replaces,
      words,
    }),
    ...defined({ temperature: request.temperature ?? undefined }),
    seed: request.seed,
    ...turnOutcome(result, decoded, settings),
  });
  const ms = askedFor(result.status);
  if (ms > 0) run.cooldowns?.report(nameOf(failover.inUse()), ms);
  return result;
}

/** Reports an immediate retry. A retry after a wait was reported with the wait. */
function reportRetryNow(run: WaitPort): void {
  const { lastTurn } = run.context.state;
  const isAgain = lastTurn !== null && verdictOf(lastTurn.status).kind !== 'final';
  if (isAgain && !lastTurn.isTold) reportRetry(run, 0, withHint(lastTurn));
}

/** Builds the request for a step from folded state and journal only. */
export function modelRequestFor(
  step: Ask,
  run: RequestPort,
  { turn, attempt }: { readonly turn: number; readonly attempt: number },
): ModelRequest & { readonly temperature: number } {
  const { state } = run.context;
  const settings = settingsOf(state);
  const { codec, opening } = driverIn(run);
  const [system, ...said] = run.context.messages();
  const encoded = codec.encode(step.question, {
    tools: run.definitions,
    names: run.names,
    planSchema: planSchemaOf(plannableOf(run.tools), (run.context.state.limits.parallel ?? 1) > 1),
    briefSchema: () => briefSchemaOf(state.guided.goalParts?.length ?? 1),
    contextWindow: settings.numCtx,
  });
  return {
    model: settings.model,
    messages: codec.conversation([...opening(step.question, system?.content ?? ''), ...said]),
    ...encoded,
    maxOutputTokens: roomFor(encoded.maxOutputTokens, state.emptyCuts, settings.numCtx),
    temperature: Math.min(
      HOTTEST,
      twoDecimals((settings.temperature ?? DEFAULT_TEMPERATURE) + HEAT * step.tries),
    ),
    seed: seedOf(state.goal, settings.seed, turn, attempt),
    ...defined({ effort: settings.effort }),
    contextWindow: settings.numCtx,
  };
}

/** Grows to at most half of the window, unless the room was larger before. */
const roomFor = (tokens: number, emptyCuts: number, window: number): number =>
  Math.min(tokens * 2 ** emptyCuts, Math.max(tokens, Math.floor(window / 2)));

const twoDecimals = (value: number): number => Math.round(value * 100) / 100;

function decode(
  question: ModelQuestion,
  { status, message }: TurnResult,
  run: DecodePort,
  callId: string,
): Decoded {
  const isCut = status.kind === 'truncated';
  if (status.kind !== 'success' && !isCut) return { kind: 'text' };
  const { context, world, policy, names, tools, definitions } = run;
  const onWire = decodeContext(callId, definitions, run);
  const view = { state: context.state, world, policy, names, tools, onWire };
  return driverIn(run).decode(question, { message, isCut }, view);
}

export function forward(event: ModelEvent, run: Pick<RunPorts, 'emit'>): void {
  switch (event.type) {
    case 'text':
    case 'thinking':
      run.emit({ type: event.type, text: event.text });
      break;
    case 'prompt_read':
    case 'tool_call_started':
    case 'tool_call_arguments':
      run.emit(event);
      break;
    default:
  }
}
