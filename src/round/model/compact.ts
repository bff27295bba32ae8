/** Shortens the conversation at a marked point, when the window is nearly full or proved too small. */

import {
  type CompactedRange,
  decideBeforeLast,
  decideSweep,
  lastShorteningOf,
  type Shortening,
  shorteningOf,
  sizesOfSweep,
  summaryChars,
} from '../../context-manager/compact-context.ts';
import { compactionText } from '../../context-manager/compaction-text.ts';
import { cutText, type MessageCut } from '../../context-manager/cut-messages.ts';
import { promptOf, sizesOf, tokensUsed } from '../../context-manager/prompt-size.ts';
import type { Driver } from '../../drivers/driver.ts';
import { driverOf } from '../../drivers/driver-of.ts';
import type { RecoveryHint } from '../../lib/errors.ts';
import { withoutThinking } from '../../llm/text-tool-calls/thinking.ts';
import { factsText, gatherFacts } from '../../probe/facts.ts';
import type { TurnResult } from '../../schema/model/turn.ts';
import type { RunState } from '../../schema/state.ts';
import { nextAttempt } from '../../steps/attempts.ts';
import type { Outlook } from '../../steps/overflow.ts';
import { settingsOf } from '../../steps/select.ts';
import { type AttemptPort, takeAttempt } from '../ask.ts';
import { nextIteration, requestBase } from '../chat/ask.ts';
import type { RunPorts } from '../run-ports.ts';
import { takeWindow, verifyWindow, type WindowPort, windowAfterOverflow } from './window.ts';

export type CompactPort = AttemptPort & WindowPort & Pick<RunPorts, 'world'>;
type ShortenPort = AttemptPort & Pick<RunPorts, 'world'>;

/** The share that ending a subtask must free for another plan to have a chance. */
const ENDING_FREES = 0.1;

/**
 * True when something can be removed and the next request would come too close to the window, or the last one
 * was refused as too long whatever the estimate says. Also true when that refusal showed a smaller window.
 */
export const canShorten = (state: RunState): boolean =>
  decided(state) !== null || windowNow(state) !== null;

/** True when something can be removed that is kept as long as anything else helps. */
export const canShortenMore = (state: RunState): boolean =>
  lastShorteningOf(state, isSummedUp(state)) !== null;

const isSummedUp = ({ settings }: RunState): boolean => driverOf(settings).summary !== null;

const decided = (state: RunState): Shortening | null => shorteningOf(state, isSummedUp(state));

/** Compacts or cuts. After an overflow it first checks whether the window is smaller than assumed. */
export async function compact(run: CompactPort): Promise<void> {
  const { context } = run;
  const { state } = context;
  if (isOverflow(state)) await learnWindow(run);
  if (context.state.seq !== state.seq) return;
  const how = state.overflowRecovery.isSubtaskOver
    ? decideSweep(promptOf(state))
    : (decided(state) ?? lastShorteningOf(state, isSummedUp(state)));
  if (!how) throw new Error('There is nothing to compact.');
  await shorten(run, how);
}

/**
 * Compacts everything before what the person said last, regardless of how full the window is, because a person
 * asked for it. Returns false when nothing precedes it.
 */
export async function compactNow(run: ShortenPort): Promise<boolean> {
  const how = decideBeforeLast(run.context.state.conversation);
  if (how === null) return false;
  await shorten(run, how);
  return true;
}

/** Uses the window that the server loaded, otherwise the one that the overflow showed. */
async function learnWindow(run: CompactPort): Promise<void> {
  await verifyWindow(run);
  const window = windowNow(run.context.state);
  if (window) takeWindow(run, window);
}

const windowNow = (state: RunState) =>
  isOverflow(state) ? windowAfterOverflow(state, promptOf(state).fixedChars) : null;

const isOverflow = (state: RunState): boolean => state.lastTurn?.status.kind === 'context_overflow';

/** Carries out the decision. */
async function shorten(run: ShortenPort, how: Shortening): Promise<void> {
  const { state } = run.context;
  const { numCtx } = settingsOf(state);
  const text = `The conversation is shortened: about ${tokensUsed(state)} of ${numCtx} tokens were used.`;
  run.emit({ type: 'notice', level: 'info', text });
  const { summary } = driverOf(state.settings);
  if (how.kind === 'cut') cut(run, how.cuts);
  else if (summary === null) leaveOut(run, how);
  else await summarize(run, how, summary);
}

/** Replaces what is left out with a text built from the state. */
function leaveOut({ context, world }: ShortenPort, { fromSeq, toSeq }: CompactedRange): void {
  const { state } = context;
  // The text lists the errors separately.
  const facts = factsText({ ...gatherFacts(state, world), recent_errors: [] });
  const { callsTools } = driverOf(state.settings);
  const text = compactionText(state, facts, summaryChars(promptOf(state)), callsTools);
  context.compactContext(fromSeq, toSeq, text);
}

/** Tokens of a summary. Models that call tools may think first, which counts. */
const SUMMARY_TOKENS = 1_024;
const THINKING_SUMMARY_TOKENS = 8_192;
/** The share of the window for the text to be summarised. */
const SHARE = 0.6;

/** The model writes the summary; its turn records which messages it replaces. */
async function summarize(
  run: ShortenPort,
  { fromSeq, toSeq }: CompactedRange,
  summary: NonNullable<Driver['summary']>,
): Promise<void> {
  const { context } = run;
  const { state } = context;
  const { numCtx } = settingsOf(state);
  const { callsTools } = driverOf(state.settings);
  const most = callsTools ? THINKING_SUMMARY_TOKENS : SUMMARY_TOKENS;
  const seqs = state.conversation.map(({ seq }) => seq);
  const replaced = state.conversation.slice(seqs.indexOf(fromSeq), seqs.indexOf(toSeq) + 1);
  const room = Math.floor(numCtx * SHARE * sizesOf(promptOf(state)).ratio);
  const isSummedUp = replaced[0]?.cause === 'summary';
  await takeAttempt(run, {
    ...nextAttempt(state.counters),
    purpose: 'summary',
    target: null,
    request: {
      ...requestBase(state, summary(context.messagesOf(replaced), room, isSummedUp)),
      maxOutputTokens: Math.min(most, Math.floor(numCtx / 4)),
    },
    replaces: { fromSeq, toSeq },
    counted: { iteration: nextIteration(state), isFinal: false },
    onEvent: () => undefined,
    read: (result) => ({
      decoded: { kind: 'text' },
      ...(isSummary(result) ? {} : { words: '' }),
    }),
  });
}

/**
 * True for a usable summary: one that loops, or that holds only thoughts, replaces nothing. Only an end that
 * a server reported has a raw reason.
 */
const isSummary = ({ status, rawReason, message }: TurnResult): boolean =>
  (status.kind !== 'truncated' || rawReason !== '') &&
  withoutThinking(message.content, () => []).trim() !== '';

function cut({ context }: ShortenPort, cuts: readonly MessageCut[]): void {
  const shorter = cuts.map(({ seq, maxChars, ends }) => ({
    seq,
    text: cutText(context.messageAt(seq).content, maxChars, ends),
  }));
  context.cutMessages(shorter);
}

/** What can still be done when nothing is left to remove. */
export function outlookOf(state: RunState): Outlook {
  const { conversation, mainConversation } = state;
  const { used, usedAfter } = sizesOfSweep(promptOf(state), mainConversation ?? conversation);
  return { endingHelps: used - usedAfter >= used * ENDING_FREES, advice: adviceOf(state) };
}

function adviceOf(state: RunState): RecoveryHint {
  const { numCtx, model } = settingsOf(state);
  return {
    hint: `Set a smaller goal, resume with a model that has a larger window than ${model} has, or with a larger window where the server has it.`,
    option: 'contextWindow',
    optionValue: String(numCtx * 2),
  };
}
