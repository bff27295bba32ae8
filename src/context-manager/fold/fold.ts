/** The state of a run as a pure fold of its journal: no clock, no randomness, no disk. */

import { defined } from '../../lib/defined.ts';
import { adviceIn } from '../../lib/errors.ts';
import { limitsIn } from '../../schema/journal/limits.ts';
import type { Located, RecordOf } from '../../schema/records.ts';
import type { ConversationState, Ended, Paused, Phase, RunState } from '../../schema/state.ts';
import { foldAdopted } from './adopted.ts';
import {
  foldActionFinished,
  foldActionIntended,
  foldActionStarted,
  foldCheck,
} from './calls/actions.ts';
import { foldBackground, withBackgroundReported } from './calls/background.ts';
import { foldPermissions, usedAnswers, withUsed } from './calls/permissions.ts';
import { refusedAfter, withRefused } from './calls/refused.ts';
import { foldServer } from './calls/servers.ts';
import { foldInChat } from './chat/fold.ts';
import { foldFiles } from './files/command-changes.ts';
import { foldSwap } from './files/swap.ts';
import { initialState } from './initial.ts';
import { foldCompacted } from './messages/compacted.ts';
import { foldBranched, foldMessage, foldRewound, foldTurn } from './messages/conversation.ts';
import { withPerson } from './messages/person-said.ts';
import { foldCandidateFailed, foldWait } from './model/ways.ts';
import { foldNote, withChangesReported } from './notes.ts';
import { foldLease, foldResumed, workedUntil } from './resumed.ts';
import { foldSettings } from './settings.ts';
import { foldCandidateTaken, foldCandidateTried } from './work/candidates.ts';
import { foldChild, withChildTold } from './work/children.ts';
import { foldTryAgain, foldTryEnded } from './work/plain-try.ts';
import {
  foldPlan,
  foldReplanStarted,
  foldRound,
  foldSubtaskFinished,
  foldSubtaskStarted,
} from './work/plan.ts';
import { reopenEnding } from './work/reopen-ending.ts';

/** The version of the state's shape. A snapshot with another version is rebuilt from the journal. */
export const STATE_SCHEMA = 58;

/**
 * The state after one more record. Records are in their stored form: spilled strings are not read. Throws for a
 * journal that does not begin with `run_opened`.
 * @param isOwn true when the caller is the only owner of the state, which is then changed instead of copied
 */
export function reduce(state: RunState | null, record: Located, isOwn = false): RunState {
  if (state === null) {
    if (record.type !== 'run_opened') throw new Error('A journal begins with run_opened.');
    return initialState(record);
  }
  const before = isOwn ? state : { ...state };
  const used = usedAnswers(before, record);
  const after = isConversation(before) ? chatted(before, record) : worked(before, record);
  const next = withUsed(after, used);
  const { seq, ts: lastAt } = record;
  const workedMs = workedUntil(record, next);
  return Object.assign(next, { seq, lastAt, workedMs, phase: phaseOf(next) });
}

function phaseOf(state: RunState): Phase {
  if (state.ended) return { name: 'ended' };
  if (state.replan) return { name: 'replanning' };
  if (!state.plan) return { name: 'planning' };
  if (state.active?.claim) return { name: 'checking' };
  if (state.pending) return { name: 'executing', index: state.pending.next };
  const { contentRequest } = state.guided;
  if (contentRequest) return { name: 'awaiting_content', file: contentRequest.file };
  return { name: 'deciding' };
}

const isConversation = (state: RunState): state is ConversationState => state.chat !== undefined;

const chatted = (state: ConversationState, record: Located): RunState =>
  foldInChat(state, record) ?? apply(state, record);

function worked(state: RunState, record: Located): RunState {
  const refused = refusedAfter(state, record);
  return withRefused(withPerson(apply(state, record), record), refused);
}

export function fold(records: Iterable<Located>, from: RunState | null = null): RunState | null {
  let state = from;
  for (const record of records) state = reduce(state, record, state !== from);
  return state;
}

/** @param state is changed in place by the most frequent records, and copied by the others */
function apply(state: RunState, record: Located): RunState {
  switch (record.type) {
    case 'run_opened':
      throw new Error('A journal has only one run_opened.');
    case 'settings_changed':
      return foldSettings(state, record);
    case 'adopted':
      return foldAdopted(state, record);
    case 'server_started':
    case 'server_ended':
      return foldServer(state, record);
    case 'background_started':
    case 'background_ended':
      return foldBackground(state, record);
    case 'message_added':
      return reported(withMessage(state, record), record);
    case 'goal_cut':
      return { ...state, guided: { ...state.guided, goalParts: record.parts } };
    case 'brief_made':
      return { ...state, brief: record.brief };
    case 'plan_set':
    case 'replanned':
      return foldPlan(state, record);
    case 'subtask_started':
      return foldSubtaskStarted(state, record);
    case 'round_started':
      return Object.assign(state, foldRound(state, record));
    case 'turn_finished':
      return Object.assign(state, foldTurn(state, record));
    case 'rewound':
      return foldRewound(state, record);
    case 'branched':
      return foldBranched(state, record);
    case 'action_intended':
      return Object.assign(state, foldActionIntended(state, record));
    case 'action_started':
      return Object.assign(state, foldActionStarted(state, record));
    case 'action_finished':
      return Object.assign(state, foldActionFinished(state, record));
    case 'check_ran':
      return foldCheck(state, record);
    case 'file_candidate_shown':
      return Object.assign(state, foldCandidateTried(state, record));
    case 'file_candidate_taken':
      return Object.assign(state, foldCandidateTaken(state, record));
    case 'files_kept':
    case 'files_changed':
      return foldFiles(state, record);
    case 'subtask_finished':
      return foldSubtaskFinished(state, record);
    case 'try_ended':
      return record.again ? foldTryAgain(state) : foldTryEnded(state);
    case 'replan_started':
      return foldReplanStarted(state, record);
    case 'compacted':
      return foldCompacted(state, record);
    case 'undo_started':
    case 'file_restored':
    case 'undo_finished':
      return foldUndo(state, record);
    case 'swap_started':
    case 'file_swapped':
    case 'swap_finished':
      return foldSwap(state, record);
    case 'child_started':
    case 'child_rested':
    case 'child_ended':
    case 'child_joined':
    case 'child_begun':
      return foldChild(state, record);
    case 'lease_taken':
      return foldLease(state, record);
    case 'run_resumed':
      return foldResumed(state, record);
    case 'run_paused':
      return { ...state, paused: pausedBy(record) };
    case 'verdict_given':
      return foldEvidence(state, record);
    case 'run_finished':
      return { ...state, ended: endedBy(record) };
    case 'format_raised':
      return { ...state, format: record.to };
    case 'approval_asked':
    case 'permission_noted':
    case 'approval_given':
    case 'builds_taken':
    case 'sandbox_looked':
      return foldPermissions(state, record);
    case 'compaction_started':
    case 'bytes_unreadable':
    case 'bytes_set_aside':
    case 'person_said':
    case 'message_ended':
    case 'command_used':
    case 'session_cleared':
      return state;
    case 'limits_set':
      return { ...state, limits: limitsIn(record) };
    case 'wait_started':
    case 'wait_ended':
      return foldWait(state, record);
    case 'candidate_failed':
      return foldCandidateFailed(state, record);
    case 'note':
      return foldNote(state, record);
    default:
      return record satisfies never;
  }
}

function withMessage(state: RunState, record: Located<RecordOf<'message_added'>>): RunState {
  const next = Object.assign(state, foldMessage(state, record), reopenEnding(state, record));
  if (record.cause !== 'cut_off') return next;
  const { cutOff: _told, ...rest } = next;
  return rest;
}

function foldUndo(
  state: RunState,
  record: RecordOf<'undo_started' | 'file_restored' | 'undo_finished'>,
): RunState {
  const done = state.undo?.done ?? [];
  switch (record.type) {
    case 'undo_started':
      return { ...state, undo: { done: [], finished: false } };
    case 'file_restored':
      return { ...state, undo: { done: [...done, record.path], finished: false } };
    case 'undo_finished':
      return {
        ...state,
        undo: { done, finished: true },
        ended: { ending: 'undone', detail: '' },
      };
  }
}

const foldEvidence = (
  state: RunState,
  { isProved, words, named, answer, untried, beyond, mend }: RecordOf<'verdict_given'>,
): RunState => ({
  ...state,
  verdict: { isProved, words, named, ...defined({ answer, untried, beyond, mend }) },
});

const pausedBy = (record: RecordOf<'run_paused'>): Paused => {
  const { why, detail, hint, status } = record;
  return { why, detail, ...defined({ hint, status }), ...adviceIn(record) };
};

const endedBy = ({ ending, detail, lost, needs }: RecordOf<'run_finished'>): Ended => ({
  ending,
  detail,
  ...defined({ lost, needs }),
});

/** Facts that the message told the model no longer wait to be told. */
const reported = (state: RunState, record: RecordOf<'message_added'>): RunState =>
  withChangesReported(withChildTold(withBackgroundReported(state, record), record), record);
