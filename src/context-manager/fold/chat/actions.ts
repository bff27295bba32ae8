// What an outcome changes in a conversation: the result becomes its next message. Pure.
import type { ActionStatus } from '../../../schema/actions.ts';
import type { Conversation, RunState } from '../../../schema/state.ts';
import type { PendingCalls } from '../../../schema/state-parts/pending.ts';
import { observe } from '../../loop-detector.ts';
import { withoutIntent } from '../calls/actions.ts';
import { loopEntry } from '../calls/loop-entry.ts';
import { writtenSince } from '../files/command-changes.ts';
import { answersAfter, filesShownByResult } from '../files/files-shown.ts';
import { filesAfter } from '../files/known-files.ts';
import { lengthOf } from '../messages/text.ts';
import { type Finished, isJudged } from '../work/finished.ts';
import { withChat, withMessage } from './turns.ts';

export function foldOutcome(state: Conversation, record: Finished): RunState {
  const { pending, counters, chat } = state;
  const { open } = chat;
  const isOver = !pending || pending.next + 1 >= pending.calls.length;
  const isFruitful = pending?.isFruitful === true || record.status === 'ok';
  const idle = isOver && !isFruitful ? 1 : 0;
  const after: Conversation = {
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
          ...{ ...pending, next: pending.next + 1, ...(isFruitful ? { isFruitful } : {}) },
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

function marked(state: Conversation, record: Finished): Conversation {
  const isChange =
    record.touches === 'files' && record.status === 'ok' && record.facts.changed !== false;
  return isChange ? nowChanging(state) : state;
}

const MOST_CHANGING = 50;

/** Notes that the current message has changed files. */
export function nowChanging(state: Conversation): Conversation {
  const { open, changing } = state.chat;
  if (open === null || changing.some(({ seq }) => seq === open.seq)) return state;
  const one = { seq: open.seq, offset: open.offset, isUndone: false };
  return withChat(state, { changing: [...changing, one].slice(-MOST_CHANGING) });
}
