/** One question to the model: said, sent, answered, recorded. */

import { plannableOf, planSchemaOf } from '../decompose/plan-schema.ts';
import { isTestPath } from '../languages/languages.ts';
import { given } from '../lib/given.ts';
import { NO_BLOCK } from '../llm/tool-modes/code-block.ts';
import { takeTurn } from '../llm/turn/take-turn.ts';
import { traitsOf } from '../schema/driver.ts';
import type { ToolCall } from '../schema/messages.ts';
import { purposeOf, type Question } from '../schema/question.ts';
import type { Decoded } from '../schema/records.ts';
import type { ModelEvent, ModelRequest, TurnResult } from '../schema/turn.ts';
import { settingsOf } from '../steps/select.ts';
import type { Step } from '../steps/step.ts';
import { callAsMeant } from '../tools/normalise-call.ts';
import { toolNamed } from '../tools/toolset.ts';
import { decodeContext } from './decode-context.ts';
import { driverIn, type ViewPort, viewOf } from './driver-view.ts';
import { afterFailure, type FailoverPort } from './failover.ts';
import { withRestOfFile } from './functions-edit.ts';
import { asLine } from './line-edit.ts';
import { asPassage } from './passage-edit.ts';
import type { Run } from './run.ts';
import { say } from './say.ts';
import { secondCode } from './second-code.ts';
import { seedOf, turnOutcome } from './turn-outcome.ts';
import { leastPromptTokens, takesLessMemory, verifyWindow } from './window.ts';

type Ask = Extract<Step, { do: 'ask' }>;

/** What a request is made of. */
export type RequestPort = Pick<Run, 'context' | 'tools' | 'names' | 'definitions'>;
type DecodePort = RequestPort & Pick<Run, 'tools' | 'world' | 'policy'>;
/** What one attempt needs. */
type TurnPort = DecodePort &
  Pick<Run, 'provider' | 'failover' | 'clock' | 'signal' | 'deadlines' | 'emit'>;
export type AskPort = TurnPort & ViewPort & FailoverPort;

/** A refused answer raises the temperature by this much, up to `HOTTEST`. */
const HEAT = 0.3;
const HOTTEST = 1;

/**
 * Says the question unless the conversation already ends with it, sends the request, and records
 * every attempt whose response ended. A cancelled request leaves nothing behind. When the run has
 * moved to another model, what it is asked is decided anew: its mode or its window may be another.
 */
export async function ask(step: Ask, run: AskPort): Promise<void> {
  const { context, failover } = run;
  const { turns, attempts } = context.state.counters;
  // Loaded by the first turn. Looked at here, since a crash may come between the two.
  if (turns === 1 && attempts === 0) await verifyWindow(run);
  if (step.cause) say(run, { cause: step.cause, ...driverIn(run).question(step, viewOf(run)) });
  failover.beginTurn(context.state.counters);
  for (;;) {
    const result = await attemptTurn(step, run);
    if (takesLessMemory(run, result.status)) return;
    failover.ended(result.status);
    if (result.status.kind === 'success' && failover.isFirstAnswerFromCandidate())
      await verifyWindow(run);
    if ((await afterFailure(run, result)) !== 'again') return;
  }
}

async function attemptTurn(step: Ask, run: TurnPort): Promise<TurnResult> {
  const { state } = run.context;
  const settings = settingsOf(state);
  const turn = run.failover.turn();
  const { turns, attempts } = state.counters;
  const attempt = turn === turns + 1 ? attempts + 1 : 1;
  const purpose = purposeOf(step.question, state.replan !== null);
  const target = step.question.kind === 'content' ? step.question.file : null;
  const request = requestFor(step, run, { turn, attempt });
  run.context.sync('request');
  run.emit({ type: 'turn_started', purpose, target, request: () => request });
  const result = await takeTurn(run.provider, request, {
    signal: run.signal,
    clock: run.clock,
    deadlines: run.deadlines,
    leastPromptTokens: leastPromptTokens(state),
    repetition: { counts: target !== null && isTestPath(target) },
    onEvent: (event) => forward(event, run),
  });
  if (result.status.kind === 'aborted') return result;
  const decoded = decode(step.question, result, run, `call_${turn}`);
  if (decoded.kind === 'calls')
    for (const call of decoded.calls) run.emit({ type: 'tool_call_ready', call });
  run.context.record({
    type: 'turn_finished',
    turn,
    round: state.round?.n ?? 0,
    attempt,
    purpose,
    ...(target === null ? {} : { target }),
    temperature: request.temperature,
    seed: request.seed,
    ...turnOutcome(result, decoded, settings),
  });
  return result;
}

/** The request for a step: only folded state and the journal go into it. */
export function requestFor(
  step: Ask,
  run: RequestPort,
  { turn, attempt }: { readonly turn: number; readonly attempt: number },
): ModelRequest & { readonly temperature: number } {
  const { state } = run.context;
  const settings = settingsOf(state);
  const codec = driverIn(run).codec;
  const encoded = codec.encode(step.question, {
    tools: run.definitions,
    names: run.names,
    planSchema: planSchemaOf(plannableOf(run.tools)),
    contextWindow: settings.numCtx,
  });
  return {
    model: settings.model,
    messages: codec.conversation(run.context.messages()),
    ...encoded,
    maxOutputTokens: roomFor(encoded.maxOutputTokens, state.emptyCuts, settings.numCtx),
    temperature: Math.min(HOTTEST, twoDecimals(settings.temperature + HEAT * step.tries)),
    seed: seedOf(state.goal, settings.seed, turn, attempt),
    ...given({ effort: settings.effort }),
    contextWindow: settings.numCtx,
  };
}

/** Never more than half of the window, unless that was the room before. */
const roomFor = (tokens: number, emptyCuts: number, window: number): number =>
  Math.min(tokens * 2 ** emptyCuts, Math.max(tokens, Math.floor(window / 2)));

const twoDecimals = (value: number): number => Math.round(value * 100) / 100;

function decode(question: Question, result: TurnResult, run: DecodePort, callId: string): Decoded {
  const { codec } = driverIn(run);
  const { kind } = result.status;
  if (kind !== 'success' && kind !== 'truncated') return { kind: 'text' };
  // Nothing of it is carried out: it is held against the first.
  if (question.kind === 'content' && question.isSecond)
    return secondCode(result.message.content, question.file) === null && kind === 'success'
      ? { kind: 'invalid', error: NO_BLOCK }
      : { kind: 'text' };
  const context = decodeContext(callId, run.definitions, run);
  const decoded =
    kind === 'success'
      ? codec.decode(question, result.message, context)
      : codec.decodeCut(question, result.message, context);
  if (decoded.kind !== 'calls') return decoded;
  // Put right before they are recorded: the fold reads them as they stand, and so does execution.
  const meant = decoded.calls.map((call) => callAsMeant(call, run.tools));
  const calls = asksForLine(question) ? meant.map((call) => asLine(call, run)) : meant;
  const [write] = calls;
  const passage = question.kind === 'content' && write ? asPassage(write, run) : null;
  if (passage !== null) return passage;
  if (question.kind === 'content')
    return { ...decoded, calls: calls.map((call) => withRestOfFile(call, run)) };
  const path = fileToAskFor(calls, run);
  return path === null ? { ...decoded, calls } : { kind: 'file', path };
}

const asksForLine = (question: Question): boolean =>
  question.kind === 'action' && question.open.some(({ does }) => does === 'edits_files');

/** The file that is only named, where the driver asks for content in a turn of its own. */
function fileToAskFor([first]: readonly ToolCall[], run: DecodePort): string | null {
  if (!first || !traitsOf(run.context.state.settings).asksForContentApart) return null;
  const isWrite = toolNamed(run.tools, first.name)?.does === 'writes_whole_files';
  if (!isWrite || 'content' in first.args) return null;
  const { path } = first.args;
  return typeof path === 'string' ? path : '';
}

function forward(event: ModelEvent, run: Pick<Run, 'emit'>): void {
  switch (event.type) {
    case 'text':
    case 'thinking':
      run.emit({ type: event.type, text: event.text });
      break;
    case 'tool_call_started':
    case 'tool_call_arguments':
      run.emit(event);
      break;
    default:
  }
}
