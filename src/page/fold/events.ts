/**
 * Folds events into the state of a run or a conversation. Pure; the page, an exported page and the tests use it.
 *
 * 1. A batch of events makes one new state; earlier states never change.
 * 2. A record seen before is skipped, so a stream that repeats itself changes nothing.
 * 3. A fact sent both as a record and as an event counts once.
 */

import type { StreamEvent, StreamEventOf, StreamType } from '../../schema/events/stream.ts';
import { addUsage, allTokens } from '../../schema/model/usage.ts';
import { withStatus } from '../../schema/state-parts/plan-status.ts';
import { callLabel } from '../../shown/calls.ts';
import { applyRecord } from './records.ts';
import { addToSum } from './sums.ts';
import {
  type ActionEntry,
  addEntry,
  addMark,
  change,
  type TurnNow,
  type WatchedWork,
  type WorkDraft,
  workDraftOf,
} from './work.ts';

/** Characters kept of the output of a running program. */
const MAX_OUTPUT = 20_000;

export function foldEvents(work: WatchedWork, events: readonly StreamEvent[]): WatchedWork {
  const draft = workDraftOf(work);
  for (const event of events) {
    if (!isSeen(draft, event)) apply(draft, event);
  }
  return draft;
}

/** Invariant 2. The events that a record means follow it and carry its number. */
function isSeen(draft: WorkDraft, { type, seq }: StreamEvent): boolean {
  if (seq === undefined) return false;
  if (type === 'record') {
    if (seq > draft.seq) draft.eventsOfRecord = 0;
    draft.eventsToSkip = seq === draft.seq ? draft.eventsOfRecord : 0;
    return seq <= draft.seq;
  }
  if (seq < draft.seq) return true;
  if (draft.eventsToSkip > 0) {
    draft.eventsToSkip -= 1;
    return true;
  }
  draft.eventsOfRecord += 1;
  return false;
}

function apply(draft: WorkDraft, event: StreamEvent): void {
  const effect = Object.hasOwn(EFFECTS, event.type) ? EFFECTS[event.type] : undefined;
  (effect as Effect<StreamType> | undefined)?.(draft, event);
}

type Effect<Type extends StreamType> = (draft: WorkDraft, event: StreamEventOf<Type>) => void;

const EFFECTS: { readonly [Type in StreamType]?: Effect<Type> } = {
  record: (draft, { record }) => applyRecord(draft, record),
  started: applyStart,
  turn_started: (draft, { turn, purpose, target }) => {
    const about = { turn, purpose, target: target ?? '' };
    change(draft, { wait: '', turnNow: { ...NO_TURN, ...about } });
  },
  prompt_read: (draft, { percent }) => withTurn(draft, { read: percent }),
  text_delta: (draft, { text }) => withTurn(draft, { text: turnNowOf(draft).text + text }),
  thinking_delta: (draft, { text }) =>
    withTurn(draft, { thinking: turnNowOf(draft).thinking + text }),
  tool_call_started: (draft, { name }) =>
    withTurn(draft, { calls: [...turnNowOf(draft).calls, { name, args: '' }] }),
  tool_call_arguments: (draft, { index, text }) => {
    const { calls } = turnNowOf(draft);
    const more = (call: TurnNow['calls'][number], at: number) =>
      at === index ? { ...call, args: call.args + text } : call;
    withTurn(draft, { calls: calls.map(more) });
  },
  turn_finished: applyTurn,
  turn_retry: (draft, { attempt, why }) => {
    draft.turnNow = null;
    addMark(draft, 'tried_again', `Attempt ${attempt}: ${why}`, true);
  },
  model_switched: (draft, { from, to, why }) =>
    addMark(draft, 'model_switched', `${nameOf(from)} → ${nameOf(to)}: ${why}`),
  compaction: (draft, event) => addMark(draft, 'shortened', sayShortened(event)),
  tool_output: (draft, { text }) => {
    const { actionNow } = draft;
    if (actionNow === null) return;
    draft.actionNow = { ...actionNow, output: (actionNow.output + text).slice(-MAX_OUTPUT) };
  },
  tool_result: applyToolResult,
  notice: (draft, { text, level }) => addMark(draft, 'notice', text, level === 'warning'),
  result: applyRunResult,
  plan: applyPlan,
  subtask_started: (draft, { subtask }) => {
    draft.active = subtask;
    addToSum(draft, {});
    draft.plan = withStatus(draft.plan, subtask, 'in_progress');
  },
  subtask_finished: (draft, { subtask, status, summary }) => {
    addToSum(draft, {});
    draft.plan = withStatus(draft.plan, subtask, status, summary);
    if (draft.active === subtask) draft.active = '';
  },
  trial_started: (draft, { n, of, words }) =>
    change(draft, { trial: `Trial ${n} of ${of}: ${words}` }),
  trials_skipped: (draft) => {
    draft.trial = '';
    addMark(draft, 'notice', 'The trials that were left were skipped');
  },
  check: applyCheckText,
  permission_asked: (draft, { id, tool, target, reason, rules, isNoted }) => {
    const others = draft.questions.filter((one) => one.id !== id);
    const questions = [...others, { id, tool, target, reason, rules, isNoted }];
    change(draft, { questions, standing: 'waiting' });
    addMark(draft, 'asked', `Asked first: ${callLabel({ tool, target })}`);
  },
  permission_answered: (draft, { id }) => {
    draft.questions = draft.questions.filter((one) => one.id !== id);
    if (draft.standing === 'waiting' && draft.questions.length === 0) draft.standing = 'working';
  },
  person_said: (draft, { text }) => {
    if (draft.isConversation) draft.standing = 'working';
    addEntry(draft, { kind: 'said', text });
  },
  message_ended: (draft, { ending, detail, hint = '' }) => {
    const standing = ending === 'permission' ? 'waiting' : 'idle';
    const why = ending === 'replied' ? '' : detail;
    change(draft, { turnNow: null, actionNow: null, standing, why, hint });
    if (ending !== 'replied') addMark(draft, 'paused', detail, true);
  },
};

function applyStart(draft: WorkDraft, event: StreamEventOf<'started'>): void {
  draft.run = event.run ?? draft.run;
  draft.number = event.number ?? draft.number;
  draft.isConversation = event.driver === 'chat' || draft.isConversation;
  draft.title = event.goal ?? event.name ?? draft.title;
  draft.workspace = event.workspace;
  draft.driver = event.driver ?? draft.driver;
  if (event.model !== null)
    change(draft, { model: event.model.model, window: event.model.contextWindow });
}

const NO_TURN: TurnNow = { turn: 0, purpose: '', target: '', text: '', thinking: '', calls: [] };

/** The current turn. A stream that begins within a turn does not say which turn it is. */
const turnNowOf = ({ turnNow, turns }: WorkDraft): TurnNow =>
  turnNow ?? { ...NO_TURN, turn: turns + 1 };

const withTurn = (draft: WorkDraft, more: Partial<TurnNow>): void =>
  change(draft, { turnNow: { ...turnNowOf(draft), ...more } });

function applyTurn(draft: WorkDraft, event: StreamEventOf<'turn_finished'>): void {
  const { turn, purpose, status, detail, text, usage, costUsd } = event;
  const { target = '', thinking = '' } = draft.turnNow ?? {};
  addEntry(draft, { kind: 'turn', turn, purpose, target, status, detail, text, thinking, usage });
  draft.turnNow = null;
  draft.turns += 1;
  draft.usage = addUsage(draft.usage, usage);
  if (costUsd === null) draft.unpricedTurns += 1;
  draft.costUsd += costUsd ?? 0;
  // The prompt of a summary or a plain try is not the conversation.
  if (purpose !== 'summary' && purpose !== 'try') draft.context = allTokens(usage);
  addToSum(draft, { tokens: allTokens(usage), turns: 1 });
}

function applyToolResult(draft: WorkDraft, event: StreamEventOf<'tool_result'>): void {
  const { id, content, command = null, durationMs, status } = event;
  const at = draft.entries.findLastIndex((entry) => entry.kind === 'action' && entry.id === id);
  const entry = draft.entries[at] as ActionEntry | undefined;
  if (entry === undefined) return;
  draft.entries[at] = { ...entry, status, content, command, ms: durationMs ?? entry.ms };
}

function applyPlan(draft: WorkDraft, { plan, isReplan, why }: StreamEventOf<'plan'>): void {
  if (draft.plan !== null) draft.formerPlans = [...draft.formerPlans, draft.plan];
  draft.plan = plan;
  if (isReplan) addMark(draft, 'new_plan', why);
}

/** Takes over a check's text: the event follows its record, which holds less of the text. */
function applyCheckText(draft: WorkDraft, { text }: StreamEventOf<'check'>): void {
  const at = draft.entries.findLastIndex(({ kind }) => kind === 'check');
  const entry = draft.entries[at];
  if (text !== '' && entry?.kind === 'check' && entry.seq === draft.seq)
    draft.entries[at] = { ...entry, text };
}

/** Applies what the records of the end do not say. */
function applyRunResult(draft: WorkDraft, event: StreamEventOf<'result'>): void {
  change(draft, { turnNow: null, actionNow: null });
  if (event.error !== null) {
    const { message, hint } = event.error;
    change(draft, { why: message, hint, standing: 'paused' });
    addMark(draft, 'paused', message, true);
  } else if (event.hint) draft.hint = event.hint;
}

const nameOf = ({ provider, model }: { readonly provider: string; readonly model: string }) =>
  `${provider}/${model}`;

const sayShortened = ({ before, after }: StreamEventOf<'compaction'>): string =>
  before === null || after === null
    ? 'The conversation was shortened'
    : `The conversation was shortened from ${before} to ${after} messages`;
