/**
 * Folds events into the state of a run or a conversation. Pure; the page, an exported page and the tests use it.
 *
 * 1. A batch of events makes one new state; earlier states never change.
 * 2. A record seen before is skipped, so a stream that repeats itself changes nothing.
 * 3. A fact sent both as a record and as an event counts once.
 */

import type { StreamEvent, StreamEventOf } from '../../schema/events/stream.ts';
import { addUsage, allTokens } from '../../schema/model/usage.ts';
import type { Plan } from '../../schema/plan.ts';
import { withStatus } from '../../schema/state-parts/plan-status.ts';
import { callLabel } from '../../shown/calls.ts';
import { applyRecord } from './records.ts';
import { addToSum } from './sums.ts';
import {
  type ActionEntry,
  addEntry,
  addMark,
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
  switch (event.type) {
    case 'record':
      applyRecord(draft, event.record);
      return;
    case 'started':
      applyStart(draft, event);
      return;
    case 'turn_started':
    case 'prompt_read':
    case 'text_delta':
    case 'thinking_delta':
    case 'tool_call_started':
    case 'tool_call_arguments':
      applyTurnDelta(draft, event);
      return;
    case 'turn_finished':
      applyTurn(draft, event);
      return;
    case 'turn_retry':
      draft.turnNow = null;
      addMark(draft, 'tried_again', `Attempt ${event.attempt}: ${event.why}`, true);
      return;
    case 'model_switched':
      addMark(draft, 'model_switched', `${nameOf(event.from)} → ${nameOf(event.to)}: ${event.why}`);
      return;
    case 'compaction':
      addMark(draft, 'shortened', sayShortened(event));
      return;
    case 'tool_output':
      if (draft.actionNow === null) return;
      draft.actionNow = {
        ...draft.actionNow,
        output: (draft.actionNow.output + event.text).slice(-MAX_OUTPUT),
      };
      return;
    case 'tool_result':
      applyToolResult(draft, event);
      return;
    case 'notice':
      addMark(draft, 'notice', event.text, event.level === 'warning');
      return;
    case 'result':
      applyRunResult(draft, event);
      return;
    default:
      applyWork(draft, event);
  }
}

function applyWork(draft: WorkDraft, event: StreamEvent): void {
  switch (event.type) {
    case 'plan':
      applyPlan(draft, event.plan, event.isReplan, event.why);
      return;
    case 'subtask_started':
      draft.active = event.subtask;
      addToSum(draft, {});
      draft.plan = withStatus(draft.plan, event.subtask, 'in_progress');
      return;
    case 'subtask_finished':
      addToSum(draft, {});
      draft.plan = withStatus(draft.plan, event.subtask, event.status, event.summary);
      if (draft.active === event.subtask) draft.active = '';
      return;
    case 'trial_started':
      draft.trial = `Trial ${event.n} of ${event.of}: ${event.words}`;
      return;
    case 'trials_skipped':
      draft.trial = '';
      addMark(draft, 'notice', 'The trials that were left were skipped');
      return;
    case 'check':
      // It follows its record, which holds less of the text.
      if (event.text !== '') updateLast(draft, 'check', { text: event.text });
      return;
    case 'permission_asked': {
      const { id, tool, target, reason, rules, isNoted } = event;
      const others = draft.questions.filter((one) => one.id !== id);
      draft.questions = [...others, { id, tool, target, reason, rules, isNoted }];
      draft.standing = 'waiting';
      addMark(draft, 'asked', `Asked first: ${callLabel({ tool, target })}`);
      return;
    }
    case 'permission_answered': {
      draft.questions = draft.questions.filter(({ id }) => id !== event.id);
      if (draft.standing === 'waiting' && draft.questions.length === 0) draft.standing = 'working';
      return;
    }
    case 'person_said':
      if (draft.isConversation) draft.standing = 'working';
      addEntry(draft, { kind: 'said', text: event.text });
      return;
    case 'message_ended':
      draft.turnNow = null;
      draft.actionNow = null;
      draft.standing = event.ending === 'permission' ? 'waiting' : 'idle';
      draft.why = event.ending === 'replied' ? '' : event.detail;
      draft.hint = event.hint ?? '';
      if (event.ending !== 'replied') addMark(draft, 'paused', event.detail, true);
      return;
    default:
  }
}

function applyStart(draft: WorkDraft, event: StreamEventOf<'started'>): void {
  draft.run = event.run ?? draft.run;
  draft.number = event.number ?? draft.number;
  draft.isConversation = event.driver === 'chat' || draft.isConversation;
  draft.title = event.goal ?? event.name ?? draft.title;
  draft.workspace = event.workspace;
  draft.driver = event.driver ?? draft.driver;
  if (event.model === null) return;
  draft.model = event.model.model;
  draft.window = event.model.contextWindow;
}

type TurnDelta = StreamEventOf<
  | 'turn_started'
  | 'prompt_read'
  | 'text_delta'
  | 'thinking_delta'
  | 'tool_call_started'
  | 'tool_call_arguments'
>;

function applyTurnDelta(draft: WorkDraft, event: TurnDelta): void {
  if (event.type === 'turn_started') {
    const { turn, purpose, target } = event;
    draft.wait = '';
    draft.turnNow = {
      turn,
      purpose,
      target: target ?? '',
      text: '',
      thinking: '',
      calls: [],
      since: draft.lastAt,
    };
    return;
  }
  const now = draft.turnNow ?? {
    turn: draft.turns + 1,
    purpose: '',
    target: '',
    text: '',
    thinking: '',
    calls: [],
    since: draft.lastAt,
  };
  switch (event.type) {
    case 'prompt_read':
      draft.turnNow = { ...now, read: event.percent };
      return;
    case 'text_delta':
      draft.turnNow = { ...now, text: now.text + event.text };
      return;
    case 'thinking_delta':
      draft.turnNow = { ...now, thinking: now.thinking + event.text };
      return;
    case 'tool_call_started':
      draft.turnNow = { ...now, calls: [...now.calls, { name: event.name, args: '' }] };
      return;
    case 'tool_call_arguments': {
      const calls = now.calls.map((call, at) =>
        at === event.index ? { ...call, args: call.args + event.text } : call,
      );
      draft.turnNow = { ...now, calls };
      return;
    }
    default:
      event satisfies never;
  }
}

function applyTurn(draft: WorkDraft, event: StreamEventOf<'turn_finished'>): void {
  const { turn, purpose, status, detail, text, usage, costUsd } = event;
  const { target = '', thinking = '' } = draft.turnNow ?? {};
  addEntry(draft, {
    kind: 'turn',
    turn,
    purpose,
    target,
    status,
    detail,
    text,
    thinking,
    usage,
    costUsd: costUsd === undefined ? 0 : costUsd,
  });
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

function applyPlan(draft: WorkDraft, plan: Plan, isReplan: boolean, why: string): void {
  if (draft.plan !== null) draft.formerPlans = [...draft.formerPlans, draft.plan];
  draft.plan = plan;
  if (isReplan) addMark(draft, 'new_plan', why);
}

function updateLast(draft: WorkDraft, kind: 'check', change: { readonly text: string }): void {
  const at = draft.entries.findLastIndex((entry) => entry.kind === kind);
  const entry = draft.entries[at];
  if (entry?.kind === kind && entry.seq === draft.seq) draft.entries[at] = { ...entry, ...change };
}

/** Applies what the records of the end do not say. */
function applyRunResult(draft: WorkDraft, event: StreamEventOf<'result'>): void {
  draft.turnNow = null;
  draft.actionNow = null;
  if (event.error !== null) {
    draft.why = event.error.message;
    draft.hint = event.error.hint;
    draft.standing = 'paused';
    addMark(draft, 'paused', event.error.message, true);
    return;
  }
  if (event.hint) draft.hint = event.hint;
}

const nameOf = ({ provider, model }: { readonly provider: string; readonly model: string }) =>
  `${provider}/${model}`;

const sayShortened = ({ before, after }: StreamEventOf<'compaction'>): string =>
  before === null || after === null
    ? 'The conversation was shortened'
    : `The conversation was shortened from ${before} to ${after} messages`;
