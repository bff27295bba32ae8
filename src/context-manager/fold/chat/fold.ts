// The state of a conversation after one more record. Pure.

import { defined } from '../../../lib/defined.ts';
import type { ActionStatus } from '../../../schema/actions.ts';
import { NO_USAGE } from '../../../schema/model/turn.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { ConversationState, RunState } from '../../../schema/state.ts';
import type { PendingCalls } from '../../../schema/state-parts/pending.ts';
import { EMPTY_LOOP_WINDOW, observe } from '../../loop-detector.ts';
import { withoutIntent } from '../calls/actions.ts';
import { loopEntry } from '../calls/loop-entry.ts';
import { withoutUsedRefusals } from '../calls/permissions.ts';
import { foldFiles, writtenSince } from '../files/command-changes.ts';
import { answersAfter, filesShownByResult, seenIn, showingFiles } from '../files/files-shown.ts';
import { filesAfter } from '../files/known-files.ts';
import { NO_RECOVERY } from '../initial.ts';
import { lengthOf, lengthWithImages } from '../messages/text.ts';
import { waysAfterPause } from '../model/ways.ts';
import { type Finished, isJudged } from '../work/finished.ts';
import { foldChatTurn, withChat, withMessage } from './turns.ts';

/** Folds records that mean something else in a conversation than in a run; `null` for all others. */
export function foldInChat(state: ConversationState, record: Located): RunState | null {
  switch (record.type) {
    case 'settings_changed':
      return null;
    case 'person_said':
      return spoken(state, record);
    case 'limits_set':
      return withChat(state, { limits: record.message ?? {} });
    case 'message_added':
      return afterResultSent(state, record);
    case 'turn_finished':
      return foldChatTurn(state, record);
    case 'action_finished':
      return foldOutcome(state, record);
    case 'message_ended':
      return ended(state, record);
    case 'files_changed':
      return nowChanging(foldFiles(state, record) as ConversationState);
    case 'undo_started':
      return withChat(state, { undoing: record.message ?? null, putBack: [] });
    case 'file_restored':
      return restored(state, record);
    case 'undo_finished':
      return undone(state);
    case 'session_cleared':
      return withChat(state, { next: record.next });
    // The open message continues where it was.
    case 'run_resumed':
      return state;
    default:
      return null;
  }
}

function afterResultSent(
  state: ConversationState,
  { seq, offset, text = '', parts, cause, by, asksFor, shows }: Located<RecordOf<'message_added'>>,
): RunState {
  const ref = { seq, offset, role: 'user', cause, length: lengthWithImages(text, parts) } as const;
  const files = seenIn(state.files, shows);
  const asked = {
    ...(asksFor === undefined ? {} : { fileWanted: { path: asksFor, isAsked: true } }),
    ...(by === 'command' ? { putBack: [] } : {}),
  };
  return withMessage({ ...withChat(state, asked), files }, { ...ref, ...showingFiles(shows) });
}

function spoken(state: ConversationState, record: Located<RecordOf<'person_said'>>): RunState {
  const { counters, chat, permissions, ...rest } = state;
  const {
    transientFailures: _transientFailures,
    abandonedTurns: _abandonedTurns,
    ...counted
  } = counters;
  const { seq, offset } = record;
  const length = lengthWithImages(record.text, record.parts);
  // Permissions noted because nobody could be asked belong to the message that wanted them.
  const asked = permissions && {
    permissions: {
      ...withoutUsedRefusals(permissions),
      open: permissions.open.filter((one) => !one.isNoted),
    },
  };
  const now = {
    ...rest,
    ...asked,
    counters: { ...counted, attempts: 0 },
    lastTurn: null,
    wait: null,
    overflowRecovery: NO_RECOVERY,
    ways: waysAfterPause(state),
    // A person's repeated request is not a loop.
    loop: EMPTY_LOOP_WINDOW,
    chat: {
      ...chat,
      open: {
        seq,
        offset,
        iterations: 0,
        calls: 0,
        idle: 0,
        blocked: 0,
        usedBefore: state.usage.total,
        ...defined({ command: record.command }),
      },
      last: null,
      fileWanted: null,
      messages: chat.messages + 1,
      invalid: 0,
    },
  };
  return withMessage(now, { seq, offset, role: 'user', cause: 'person', length });
}

function ended(
  state: ConversationState,
  { seq: at, offset, ending, detail, hint, said }: Located<RecordOf<'message_ended'>>,
): RunState {
  const { seq = 0, iterations = 0, usedBefore = NO_USAGE } = state.chat.open ?? {};
  const last = { seq, iterations, usedBefore, ending, detail };
  const now = {
    open: null,
    fileWanted: null,
    last: hint === undefined ? last : { ...last, hint },
  };
  const over = { ...withChat(state, now), pending: null };
  if (said === undefined) return over;
  const part = { seq: at, offset, role: 'assistant', cause: null, length: lengthOf(said) } as const;
  return withMessage(over, part);
}

/** A restored file has the same state as one that a tool finds. */
function restored(
  state: ConversationState,
  { path, hash, skipped }: RecordOf<'file_restored'>,
): RunState {
  if (skipped !== '') return state;
  const { putBack } = state.chat;
  const all = [...putBack, { path, isRemoved: hash === null }];
  const ordered = [...all.filter((one) => !one.isRemoved), ...all.filter((one) => one.isRemoved)];
  const now = withChat(state, { putBack: ordered });
  const known = state.files[path];
  if (known === undefined) return now;
  const { isOwn: _own, ...rest } = known;
  return { ...now, files: { ...state.files, [path]: { ...rest, hash, rejected: null } } };
}

const undone = (state: ConversationState): RunState =>
  withChat(state, {
    undoing: null,
    changing: state.chat.changing.map((one) =>
      one.seq === state.chat.undoing ? { ...one, isUndone: true } : one,
    ),
  });

function foldOutcome(state: ConversationState, record: Finished): RunState {
  const { pending, counters, chat } = state;
  const { open } = chat;
  const isOver = !pending || pending.next + 1 >= pending.calls.length;
  const isFruitful = pending?.isFruitful === true || record.status === 'ok';
  const idle = isOver && !isFruitful ? 1 : 0;
  const after: ConversationState = {
    ...withChat(state, {
      open: open && {
        ...open,
        calls: open.calls + 1,
        idle: open.idle + idle,
        blocked: open.blocked + (record.status === 'blocked' ? 1 : 0),
      },
    }),
    counters: { ...counters, actions: counters.actions + 1 },
    loop: isJudged(record)
      ? observe(state.loop, loopEntry(record, pending?.calls[pending.next]), {
          at: record.ts,
          round: pending?.turn ?? 0,
        })
      : state.loop,
    intents: withoutIntent(state.intents, record.id),
    files: filesAfter(state, record, state.intents[record.id]?.files),
    commandChanges: writtenSince(state.commandChanges, record),
    conversation: answersAfter({ ...state, round: { turns: 1 } }, record),
    pending: isOver
      ? null
      : {
          ...pending,
          next: pending.next + 1,
          ...(isFruitful ? { isFruitful } : {}),
          ...haltAfter(pending, record),
        },
  };
  // A command that a person ran does not answer a call.
  const role = pending === null || pending.areRecovered ? 'user' : 'tool';
  const { seq, offset } = record;
  const length = lengthOf(record.result, record.parts);
  return withMessage(marked(after, record), {
    seq,
    offset,
    role,
    cause: 'tool_result',
    length,
    ...filesShownByResult(record),
  });
}

/**
 * After a crash, the calls after the interrupted one do not run before the model has looked at the current
 * state.
 */
const CUT_OFF: ReadonlySet<string> = new Set<ActionStatus>(['interrupted', 'not_run']);

const haltAfter = (
  { isHalted }: PendingCalls,
  { tool, status }: Finished,
): Partial<PendingCalls> =>
  isHalted || !CUT_OFF.has(status) ? {} : { isHalted: true, haltedBy: { tool, status } };

function marked(state: ConversationState, record: Finished): ConversationState {
  const isChange =
    record.touches === 'files' && record.status === 'ok' && record.facts.changed !== false;
  return isChange ? nowChanging(state) : state;
}

const MAX_CHANGING = 50;

/** Notes that the current message has changed files. */
function nowChanging(state: ConversationState): ConversationState {
  const { open, changing } = state.chat;
  if (open === null || changing.some(({ seq }) => seq === open.seq)) return state;
  const one = { seq: open.seq, offset: open.offset, isUndone: false };
  return withChat(state, { changing: [...changing, one].slice(-MAX_CHANGING) });
}
