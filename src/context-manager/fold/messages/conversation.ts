import { defined } from '../../../lib/defined.ts';
import { traitsOf } from '../../../schema/driver.ts';
import type { Decoded, Located, RecordOf } from '../../../schema/records.ts';
import type { ActiveSubtask, MessageRef, RunState } from '../../../schema/state.ts';
import type { Counters } from '../../../schema/state-parts/counters.ts';
import type { StateChanges } from '../files/changes.ts';
import { seenIn, showingFiles } from '../files/files-shown.ts';
import { NO_RECOVERY } from '../initial.ts';
import { usageAfter } from '../model/usage.ts';
import { waysAfterTurn } from '../model/ways.ts';
import { countersAfter, errorOf, isCutEmpty, lastTurnOf } from '../work/attempts.ts';
import { afterUnusable, freshContent, withContentRequest } from '../work/guided.ts';
import { triedBy } from '../work/plain-try.ts';
import { surveyAfterMessage, surveyAfterTurn, surveying } from '../work/survey.ts';
import { lengthOf, lengthOfReply } from './text.ts';

const refOf = (
  record: { readonly seq: number; readonly offset: number },
  rest: Omit<MessageRef, 'seq' | 'offset'>,
): MessageRef => ({ seq: record.seq, offset: record.offset, ...rest });

export function foldMessage(
  state: RunState,
  record: Located<RecordOf<'message_added'>>,
): StateChanges {
  const { role, cause, rewindTo } = record;
  const ref = { seq: record.seq, role, cause, ...wordsOf(state, record), ...placeIn(state, cause) };
  const kept =
    rewindTo === undefined ? state.conversation : messagesBefore(state.conversation, rewindTo);
  const pending = rewindTo === undefined ? state.pending : null;
  const usage = rewindTo === undefined ? state.usage : { ...state.usage, floor: {} };
  const files = seenIn(state.files, record.shows);
  const { active } = state;
  const conversation = [...kept, ref];
  const free = surveying(state, surveyAfterMessage(state, record));
  const said = { files, active, ...free, conversation, lastTurn: null, pending, usage };
  switch (record.cause) {
    case 'tool_result':
    case 'border':
      return { ...said, active: withoutFailedClaim(active), ...afterResultSent(state, pending) };
    case 'check_failed':
    case 'proof_failed':
      return {
        ...said,
        active: active && refused(active),
        ...afterResultSent(state, halted({ ...state, pending })),
      };
    default:
      return said;
  }
}

const refused = (active: ActiveSubtask): ActiveSubtask => ({
  ...active,
  claim: active.claim && { ...active.claim, isOpen: false },
  checkFailures: active.checkFailures + 1,
});

/** For a border in the middle of a reply: the number of files that the reply had shown before it. */
function placeIn({ conversation }: RunState, cause: MessageRef['cause']) {
  const reply = conversation.findLast(({ role }) => role === 'assistant');
  return cause === 'border' ? defined({ showsBefore: reply?.shows?.length }) : {};
}

/** Where a message's text is stored: in its own record, or in the outcome whose result it is. */
function wordsOf(
  { pending }: RunState,
  { offset, text = '', parts, resultOf, sameAs, cause, shows }: Located<RecordOf<'message_added'>>,
): Pick<MessageRef, 'offset' | 'length' | 'shows' | 'same'> {
  const outcome = pending?.unreportedResult;
  // Format 1 repeats the result as text.
  const held = cause === 'tool_result' ? outcome?.shows : shows;
  if (resultOf === undefined)
    return { offset, length: lengthOf(text, parts), ...showingFiles(held) };
  if (outcome?.seq !== resultOf) throw new Error(`There is no outcome ${resultOf} to be told.`);
  const whole = { offset: outcome.offset, length: outcome.length };
  if (sameAs === undefined) return { ...whole, ...showingFiles(held) };
  return { offset, length: lengthOf(text, parts), same: { as: sameAs, ...whole } };
}

/**
 * After a subtask's end that a check contradicts, no other end is considered. Under a guided driver, no further
 * call runs.
 */
function halted({ pending, settings }: RunState): RunState['pending'] {
  const tool = pending?.unreportedResult?.tool ?? '';
  const isHalted = !traitsOf(settings).callsTools;
  return pending && { ...pending, isHalted, haltedBy: { tool, status: 'ok' } };
}

/** A reported failure is settled once the model is told; the count of failures stays. */
const withoutFailedClaim = (active: RunState['active']): RunState['active'] =>
  active?.claim && !active.claim.success ? { ...active, claim: null } : active;

/** The model knows of the last action. The round is then over unless more calls wait. */
function afterResultSent({ round }: RunState, pending: RunState['pending']): StateChanges {
  if (!pending) return {};
  const isLast = pending.next >= pending.calls.length;
  return {
    ...(isLast ? defined({ cutOff: pending.cutOff }) : {}),
    pending: isLast ? null : { ...pending, unreportedResult: null },
    round: isLast && round ? { ...round, isOver: true } : round,
  };
}

export function foldTurn(
  state: RunState,
  record: Located<RecordOf<'turn_finished'>>,
): StateChanges {
  const isSuccess = record.status.kind === 'success';
  const isConcluded = isSuccess || record.status.kind === 'truncated';
  const isAskedAgain = isCutEmpty(record, state.emptyCuts);
  const { round, counters } = state;
  const isFirstInRound = isConcluded && round?.turns === 0 && !isPlanning(record);
  const isTry = isConcluded && !isAskedAgain && isPlanning(record) && record.purpose !== 'try';
  const counted: StateChanges = {
    emptyCuts: isAskedAgain ? state.emptyCuts + 1 : isConcluded ? 0 : state.emptyCuts,
    overflowRecovery: isConcluded ? NO_RECOVERY : state.overflowRecovery,
    usage: usageAfter(state, record),
    round: round && { ...round, turns: round.turns + (isConcluded ? 1 : 0) },
    ...waysAfterTurn(state, record, isConcluded),
    ...(isConcluded && !isAskedAgain ? triedBy(state, record) : {}),
    counters: {
      ...countersAfter(counters, record, isConcluded),
      roundsSinceResume: counters.roundsSinceResume + (isFirstInRound ? 1 : 0),
      planTries: counters.planTries + (isTry ? 1 : 0),
      ...callsAfter(state, record),
    },
    lastTurn: lastTurnOf(record),
  };
  // The question is repeated, so what was settled before stays settled.
  if (isAskedAgain) return { ...counted, lastTurn: state.lastTurn };
  // A turn of an earlier build whose purpose no longer exists.
  if (record.purpose === 'second_writing') return { ...counted, lastTurn: null };
  const isCut = record.status.kind === 'truncated';
  if (!isSuccess && !(isCut && record.decoded.kind === 'calls'))
    return isCut ? { ...counted, ...unreadable({ ...state, ...counted }, record) } : counted;
  const ref = refOf(record, {
    role: 'assistant',
    cause: null,
    length: lengthOfReply(record.response),
  });
  const answered = { ...counted, conversation: [...state.conversation, ref] };
  if (isPlanning(record) || record.purpose === 'brief') return answered;
  if (record.decoded.kind === 'invalid') return { ...answered, ...unreadable(state, record) };
  const free = surveying(state, surveyAfterTurn(state, record, false));
  const cutOff = isCut ? record.detail : undefined;
  return { ...answered, ...free, ...understood(state, record.decoded, cutOff) };
}

type Understood = Exclude<Decoded, { kind: 'invalid' }>;

function understood(
  state: RunState,
  decoded: Understood,
  cutOff: string | undefined,
): StateChanges {
  switch (decoded.kind) {
    case 'calls':
      return decided(state, decoded, cutOff);
    case 'file':
      return { ...afterAnswer(state), ...withContentRequest(state, freshContent(decoded.path)) };
    case 'text':
      return { active: state.active && { ...state.active, nudges: state.active.nudges + 1 } };
  }
}

const isPlanning = (record: RecordOf<'turn_finished'>): boolean =>
  record.purpose === 'plan' || record.purpose === 'replan' || record.purpose === 'try';

const unreadable = (state: RunState, record: RecordOf<'turn_finished'>): StateChanges => ({
  ...surveying(state, surveyAfterTurn(state, record, true)),
  active: state.active && { ...state.active, invalidReplies: state.active.invalidReplies + 1 },
  ...withContentRequest(
    state,
    state.guided.contentRequest && afterUnusable(state.guided.contentRequest, errorOf(record)),
  ),
});

/** An answer that says what to do next. */
const afterAnswer = ({ active }: RunState): StateChanges => ({
  active: active && { ...active, nudges: 0, invalidReplies: 0 },
  lastTurn: null,
});

const decided = (
  state: RunState,
  { calls, recovered }: Extract<Decoded, { kind: 'calls' }>,
  cutOff: string | undefined,
): StateChanges => ({
  ...afterAnswer(state),
  pending: {
    calls,
    next: 0,
    unreportedResult: null,
    isHalted: false,
    areRecovered: recovered || !traitsOf(state.settings).callsTools,
    ...defined({ cutOff }),
  },
});

/**
 * Counts the turns of the work whose native calls were read, and consecutive turns whose calls neither we nor
 * the server could read. Calls extracted from text count as neither, and so does an answer that broke off.
 */
function callsAfter(
  { settings, counters, plan }: RunState,
  { purpose, decoded, status }: RecordOf<'turn_finished'>,
): Pick<Counters, 'nativeFailures' | 'readCalls'> {
  const { nativeFailures, readCalls } = counters;
  if (!traitsOf(settings).callsTools || purpose !== 'action') return { nativeFailures, readCalls };
  if (decoded.kind === 'calls' && !decoded.recovered)
    return { nativeFailures: 0, readCalls: readCalls + (plan === null ? 0 : 1) };
  const isUnreadable =
    decoded.kind === 'invalid' || (status.kind === 'invalid_response' && status.ofCall === true);
  return { nativeFailures: nativeFailures + (isUnreadable ? 1 : 0), readCalls };
}

/** The messages that a rewind keeps. A summary has a late seq but represents older messages. */
const messagesBefore = (conversation: readonly MessageRef[], seq: number): readonly MessageRef[] =>
  conversation.filter((ref) => ref.seq < seq || ref.cause === 'summary');

export function foldRewound(state: RunState, record: RecordOf<'rewound'>): RunState {
  return {
    ...state,
    conversation: messagesBefore(state.conversation, record.fromSeq),
    lastTurn: null,
    pending: null,
    round: state.round && { ...state.round, isOver: false },
    usage: { ...state.usage, floor: {} },
  };
}

export function foldBranched(state: RunState, record: RecordOf<'branched'>): RunState {
  const usage = { ...state.usage, floor: {} };
  if (record.at === 'open')
    return { ...state, mainConversation: state.conversation, conversation: [], usage };
  return {
    ...state,
    conversation: state.mainConversation ?? state.conversation,
    mainConversation: null,
    usage,
  };
}
