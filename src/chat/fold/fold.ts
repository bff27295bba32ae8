// The state of a conversation after one more record; pure.
import { foldActionIntended, foldActionStarted } from '../../context-manager/fold/actions.ts';
import { foldFiles, NO_COMMAND_CHANGES } from '../../context-manager/fold/command-changes.ts';
import { withOutput } from '../../context-manager/fold/notes.ts';
import { foldPermissions } from '../../context-manager/fold/permissions.ts';
import { foldServer } from '../../context-manager/fold/servers.ts';
import { seenIn, showing } from '../../context-manager/fold/shown.ts';
import { lengthOf } from '../../context-manager/fold/text.ts';
import { EMPTY_LOOP_WINDOW } from '../../context-manager/loop-detector.ts';
import type { ChatRecordOf, LocatedChat } from '../../schema/chat-records.ts';
import type { ChatState } from '../../schema/chat-state.ts';
import { unstamped } from '../../schema/stamp.ts';
import { NO_USAGE } from '../../schema/turn.ts';
import { foldOutcome, nowChanging } from './actions.ts';
import { foldCut, foldTurn, said } from './turns.ts';

/** Of the state's shape: another one is rebuilt from the journal. */
export const CHAT_STATE_SCHEMA = 5;

/** Throws for a record in a place where no program writes it. */
export function reduceChat(state: ChatState | null, record: LocatedChat): ChatState {
  if (state === null) {
    if (record.type !== 'session_opened') throw new Error(`a session begins with ${record.type}`);
    return opened(record);
  }
  return { ...folded(state, record), seq: record.seq };
}

function folded(state: ChatState, record: LocatedChat): ChatState {
  switch (record.type) {
    case 'session_opened':
      throw new Error('a session begins twice');
    case 'session_settings':
      return { ...state, settings: unstamped(record) };
    case 'person_said':
      return spoken(state, record);
    case 'told':
      return told(state, record);
    case 'turn_finished':
      return foldTurn(state, record);
    case 'action_intended':
      return { ...state, ...foldActionIntended(state, record) };
    case 'action_started':
      return { ...state, ...foldActionStarted(state, record) };
    case 'action_finished':
      return foldOutcome(state, record);
    case 'shortened':
      return foldCut(state, record);
    case 'message_ended':
      return ended(state, record);
    default:
      return foldedBeside(state, record);
  }
}

type Beside = Exclude<
  LocatedChat,
  {
    type:
      | 'session_opened'
      | 'session_settings'
      | 'person_said'
      | 'told'
      | 'turn_finished'
      | 'action_intended'
      | 'action_started'
      | 'action_finished'
      | 'shortened'
      | 'message_ended';
  }
>;

/** What stands beside the conversation itself. */
function foldedBeside(state: ChatState, record: Beside): ChatState {
  switch (record.type) {
    case 'files_kept':
      return foldFiles(state, record);
    case 'files_changed':
      return nowChanging(foldFiles(state, record));
    case 'approval_asked':
    case 'permission_noted':
    case 'approval_given':
    case 'builds_taken':
    case 'sandbox_looked':
      return foldPermissions(state, record);
    case 'server_started':
    case 'server_ended':
      return foldServer(state, record);
    case 'undo_started':
      return { ...state, undoing: record.message };
    case 'file_restored':
      return restored(state, record);
    case 'undo_finished':
      return undone(state);
    case 'session_cleared':
      return { ...state, next: record.next };
    case 'format_raised':
      return { ...state, format: record.to };
    case 'note':
      return record.kind === 'full_result' ? withOutput(state, record.data) : state;
    case 'session_resumed':
    case 'command_used':
      return state;
    default:
      return record satisfies never;
  }
}

const opened = (record: LocatedChat<ChatRecordOf<'session_opened'>>): ChatState => ({
  session: record.session,
  format: record.format,
  name: record.name ?? null,
  number: record.number ?? null,
  startedAt: record.startedAt,
  version: record.version,
  ...(record.mac === undefined ? {} : { mac: record.mac }),
  before: record.before ?? null,
  seq: record.seq,
  settings: null,
  conversation: [],
  open: null,
  last: null,
  pending: null,
  fileWanted: null,
  lastTurn: null,
  counters: { messages: 0, turns: 0, attempts: 0, passing: 0, givenUp: 0, actions: 0, invalid: 0 },
  shortened: { summaries: 0, cuts: 0 },
  intents: {},
  files: {},
  kept: null,
  commandChanges: NO_COMMAND_CHANGES,
  loop: EMPTY_LOOP_WINDOW,
  changing: [],
  undoing: null,
  usage: { total: NO_USAGE, last: null, lastChars: 0 },
  next: null,
});

function told(state: ChatState, record: LocatedChat<ChatRecordOf<'told'>>): ChatState {
  const { seq, offset, text, asksFor, shows } = record;
  const ref = { seq, offset, role: 'user', cause: null, length: lengthOf(text) } as const;
  const asked = asksFor === undefined ? state.fileWanted : { path: asksFor, isAsked: true };
  const files = seenIn(state.files, shows);
  return said({ ...state, files, fileWanted: asked }, { ...ref, ...showing(shows) });
}

function spoken(state: ChatState, record: LocatedChat<ChatRecordOf<'person_said'>>): ChatState {
  const { counters } = state;
  const length = lengthOf(record.text);
  const { permissions, ...rest } = state;
  // What nobody could be asked about is a matter of the message that wanted it.
  const asked = permissions && {
    permissions: { ...permissions, open: permissions.open.filter((one) => !one.isNoted) },
  };
  return {
    ...said({ ...rest, ...asked }, { ...record, role: 'user', cause: 'person', length }),
    open: {
      ...{ seq: record.seq, offset: record.offset, iterations: 0, calls: 0, idle: 0, blocked: 0 },
      usedBefore: state.usage.total,
    },
    last: null,
    lastTurn: null,
    fileWanted: null,
    // What a person asks for again is not a loop.
    loop: EMPTY_LOOP_WINDOW,
    shortened: { summaries: 0, cuts: 0 },
    counters: {
      ...counters,
      messages: counters.messages + 1,
      attempts: 0,
      passing: 0,
      givenUp: 0,
      invalid: 0,
    },
  };
}

function ended(state: ChatState, record: ChatRecordOf<'message_ended'>): ChatState {
  const { ending, detail, hint } = record;
  const { seq = 0, iterations = 0, usedBefore = NO_USAGE } = state.open ?? {};
  const last = { seq, iterations, usedBefore, ending, detail };
  return {
    ...state,
    open: null,
    pending: null,
    fileWanted: null,
    last: hint === undefined ? last : { ...last, hint },
  };
}

/** A file that is back is as a tool would find it. */
function restored(state: ChatState, record: ChatRecordOf<'file_restored'>): ChatState {
  const known = state.files[record.path];
  if (known === undefined || record.skipped !== '') return state;
  const { isOwn: _own, ...rest } = known;
  const file = { ...rest, hash: record.hash, withheld: null };
  return { ...state, files: { ...state.files, [record.path]: file } };
}

const undone = (state: ChatState): ChatState => ({
  ...state,
  undoing: null,
  changing: state.changing.map((one) =>
    one.seq === state.undoing ? { ...one, isUndone: true } : one,
  ),
});
