/** Shortens the conversation at a marked place, when the window is nearly full or was too small. */

import {
  type CompactionDecision,
  decideCompaction,
  decideSweep,
  sizesOfSweep,
} from '../context-manager/compact-context.ts';
import { compactionText } from '../context-manager/compaction-text.ts';
import { type Cut, cutText, decideCuts } from '../context-manager/cut-messages.ts';
import { type PromptInput, promptIn, sizesOf } from '../context-manager/prompt-size.ts';
import { driverOf } from '../drivers/driver-of.ts';
import type { NextStep } from '../lib/errors.ts';
import { factsText, gatherFacts } from '../probe/facts.ts';
import type { RunState } from '../schema/state.ts';
import type { Outlook } from '../steps/overflow.ts';
import { settingsOf } from '../steps/select.ts';
import { PATIENCE } from '../steps/step.ts';
import type { Run } from './run.ts';
import { shownWindow, takeWindow, verifyWindow, type WindowPort } from './window.ts';

type Compaction = Extract<CompactionDecision, { kind: 'compact' }>;

/** What the size of the next prompt depends on. */
export type PromptPort = Pick<Run, 'context' | 'definitions'>;
export type CompactPort = PromptPort & WindowPort & Pick<Run, 'world' | 'emit'>;

/** From this share of the window on there is no room for an answer any more. */
const FULL = 0.9;
/** What the end of a subtask must free at least for another plan to have a chance. */
const ENDING_FREES = 0.1;

/** What would shorten the conversation now. */
type OverflowRecovery =
  | { readonly kind: 'compact'; readonly decision: Compaction }
  | { readonly kind: 'cut'; readonly cuts: readonly Cut[] };

/**
 * True when something can go and the next request would come too close to the window, or the last
 * one was refused as too long, whatever the estimate says; or when that showed a smaller window.
 */
export const canShorten = (run: PromptPort): boolean =>
  recoveryOf(run) !== null || shown(run) !== null;

/** Compacts or cuts. After an overflow the window is looked at first: it may be a smaller one. */
export async function compact(run: CompactPort): Promise<void> {
  const { seq, overflowRecovery: tried } = run.context.state;
  if (isOverflow(run.context.state)) await learnWindow(run);
  if (run.context.state.seq !== seq) return;
  const recovery = tried.isSubtaskOver ? sweepOf(run) : recoveryOf(run);
  if (!recovery) throw new Error('There is nothing to compact.');
  if (recovery.kind === 'cut') cut(run, recovery.cuts);
  else leaveOut(run, recovery.decision);
}

/** As the server has it loaded, else as the overflow shows it. */
async function learnWindow(run: CompactPort): Promise<void> {
  await verifyWindow(run);
  const window = shown(run);
  if (window) takeWindow(run, window);
}

const shown = (run: PromptPort) =>
  isOverflow(run.context.state) ? shownWindow(run.context.state, promptOf(run).fixedChars) : null;

function sweepOf(run: PromptPort): OverflowRecovery | null {
  const decision = decideSweep(promptOf(run));
  return decision && { kind: 'compact', decision };
}

const isOverflow = (state: RunState): boolean => state.lastTurn?.status.kind === 'context_overflow';

/**
 * Old exchanges go first, then what is too long in the five that stay, then all of them but the
 * newest. Two compactions that did not help are the end of it.
 */
function recoveryOf(run: PromptPort): OverflowRecovery | null {
  const { compactions, cuts: cutBefore } = run.context.state.overflowRecovery;
  const input = promptOf(run);
  const mayCompact = compactions < PATIENCE.vainCompactions;
  const isLastTry = input.overflowed === true && compactions === PATIENCE.vainCompactions - 1;
  const decision = decideCompaction(isLastTry ? { ...input, historyKeep: 1 } : input);
  const isUseful = mayCompact && decision.kind === 'compact';
  if (isUseful && compactions <= cutBefore) return { kind: 'compact', decision };
  if (!isTooLong(input)) return null;
  const cuts = cutBefore < PATIENCE.vainCuts ? decideCuts(input) : [];
  if (cuts.length > 0) return { kind: 'cut', cuts };
  const last = isUseful ? decision : decideCompaction({ ...input, leastKept: 1 });
  return mayCompact && last.kind === 'compact' ? { kind: 'compact', decision: last } : null;
}

/** Only what does not fit, with an answer to it, loses what the model is still to use. */
const isTooLong = (input: PromptInput): boolean =>
  input.overflowed === true || sizesOf(input).used >= input.numCtx * FULL;

function promptOf(run: PromptPort): PromptInput {
  const { state } = run.context;
  const settings = settingsOf(state);
  const tools = driverOf(settings).callsTools ? lengthOf(run.definitions) : 0;
  const fixedChars = settings.systemPrompt.length + tools;
  return promptIn(state, fixedChars);
}

/** Counted once for each list of tools: every step asks, and there are thousands of characters. */
const lengths = new WeakMap<PromptPort['definitions'], number>();

function lengthOf(definitions: PromptPort['definitions']): number {
  const length = lengths.get(definitions) ?? JSON.stringify(definitions).length;
  lengths.set(definitions, length);
  return length;
}

const isFree = ({ settings }: RunState): boolean => driverOf(settings).callsTools;

function leaveOut(run: CompactPort, decision: Compaction): void {
  const { state } = run.context;
  // The errors stand in the text for themselves.
  const facts = factsText({ ...gatherFacts(state, run.world), recent_errors: [] });
  const text = compactionText(state, facts, decision.summaryChars, isFree(state));
  tellShortened(run, decision.used);
  run.context.compactContext(decision.fromSeq, decision.toSeq, text);
}

function cut(run: CompactPort, cuts: readonly Cut[]): void {
  const { context } = run;
  const shorter = cuts.map(({ seq, maxChars }) => ({
    seq,
    text: cutText(context.messageAt(seq).content, maxChars),
  }));
  tellShortened(run, sizesOf(promptOf(run)).used);
  context.cutMessages(shorter);
}

export function tellShortened(run: Pick<Run, 'context' | 'emit'>, used: number): void {
  const window = settingsOf(run.context.state).numCtx;
  const text = `The conversation is shortened: about ${used} of ${window} tokens were used.`;
  run.emit({ type: 'notice', level: 'info', text });
}

/** What is left to do when nothing is left to leave out. */
export function outlookOf(run: PromptPort): Outlook {
  const { conversation, mainConversation } = run.context.state;
  const { used, usedAfter } = sizesOfSweep(promptOf(run), mainConversation ?? conversation);
  return { endingHelps: used - usedAfter >= used * ENDING_FREES, advice: adviceOf(run) };
}

function adviceOf(run: PromptPort): NextStep {
  const { numCtx, model } = settingsOf(run.context.state);
  return {
    hint: `Set a smaller goal, resume with a model that has a larger window than ${model} has, or with a larger window where the server has it.`,
    option: 'contextWindow',
    optionValue: String(numCtx * 2),
  };
}
