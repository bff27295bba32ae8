// What an outcome changes: the result is the next message of the conversation; pure.
import { withoutIntent } from '../../context-manager/fold/actions.ts';
import { writtenSince } from '../../context-manager/fold/command-changes.ts';
import { type Finished, isJudged } from '../../context-manager/fold/finished.ts';
import { knownFiles } from '../../context-manager/fold/known-files.ts';
import { loopEntry } from '../../context-manager/fold/loop-entry.ts';
import { answersAfter, shownBy } from '../../context-manager/fold/shown.ts';
import { lengthOf } from '../../context-manager/fold/text.ts';
import { observe } from '../../context-manager/loop-detector.ts';
import type { ChatState } from '../../schema/chat-state.ts';
import { said } from './turns.ts';

export function foldOutcome(state: ChatState, record: Finished): ChatState {
  const { pending, counters, open } = state;
  const isOver = !pending || pending.next + 1 >= pending.calls.length;
  const isFruitful = pending?.isFruitful === true || record.status === 'ok';
  const idle = isOver && !isFruitful ? 1 : 0;
  const after: ChatState = {
    ...state,
    counters: { ...counters, actions: counters.actions + 1 },
    open: open && {
      ...open,
      calls: open.calls + 1,
      idle: open.idle + idle,
      blocked: open.blocked + (record.status === 'blocked' ? 1 : 0),
    },
    loop: isJudged(record)
      ? observe(state.loop, loopEntry(record, pending?.calls[pending.next]), {
          at: record.ts,
          round: pending?.turn ?? 0,
        })
      : state.loop,
    intents: withoutIntent(state.intents, record.id),
    files: knownFiles(state, record, state.intents[record.id]?.files),
    commandChanges: writtenSince(state.commandChanges, record),
    conversation: answersAfter({ ...state, round: { turns: 1 } }, record),
    pending: isOver ? null : { ...pending, next: pending.next + 1, isFruitful },
  };
  const role = pending?.areRecovered ? 'user' : 'tool';
  const { seq, offset } = record;
  const length = lengthOf(record.result);
  return said(marked(after, record), {
    seq,
    offset,
    role,
    cause: 'tool_result',
    length,
    ...shownBy(record),
  });
}

function marked(state: ChatState, record: Finished): ChatState {
  const isChange =
    record.touches === 'files' && record.status === 'ok' && record.facts.changed !== false;
  return isChange ? nowChanging(state) : state;
}

const MOST_CHANGING = 50;

/** The message that is worked on has changed files. */
export function nowChanging(state: ChatState): ChatState {
  const { open, changing } = state;
  if (open === null || changing.some(({ seq }) => seq === open.seq)) return state;
  const one = { seq: open.seq, offset: open.offset, isUndone: false };
  return { ...state, changing: [...changing, one].slice(-MOST_CHANGING) };
}
