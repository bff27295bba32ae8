/**
 * Folds questions, noted permissions and answers. Pure. Whether an answer is the user's own is checked where it
 * is used.
 */
import { defined } from '../../../lib/defined.ts';
import type { GivenUp } from '../../../schema/actions.ts';
import type {
  OpenPermissionRequest,
  PermissionRequest,
  PermissionState,
} from '../../../schema/journal/permissions.ts';
import type { JournalRecord, RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import type { ActiveSubtask } from '../../../schema/state-parts/active-subtask.ts';
import type { PendingCalls } from '../../../schema/state-parts/pending.ts';
import { FORESEEN, type RefusedCall } from '../../../schema/state-parts/refused.ts';

export const NO_PERMISSIONS: PermissionState = {
  open: [],
  answers: [],
  rules: [],
  isRegained: false,
  taken: null,
};

const MAX_OPEN = 50;
const MAX_ANSWERS = 50;
const MAX_RULES = 200;

export type PermissionRecord = RecordOf<
  'approval_asked' | 'permission_noted' | 'approval_given' | 'builds_taken' | 'sandbox_looked'
>;

/** The part of a run's or conversation's state. */
interface Permitted {
  readonly permissions?: PermissionState;
  readonly pending: Pick<PendingCalls, 'calls' | 'next'> | null;
  readonly active?: Pick<ActiveSubtask, 'claim'> | null;
  readonly refused?: readonly RefusedCall[];
  /** Set when a run was given up: its waiting calls are not made any more. */
  readonly givenUp?: GivenUp | null;
}

export function foldPermissions<State extends Permitted>(
  state: State,
  record: PermissionRecord,
): State {
  const before = state.permissions ?? NO_PERMISSIONS;
  switch (record.type) {
    case 'builds_taken':
      return { ...state, permissions: { ...before, taken: record.texts } };
    case 'sandbox_looked':
      return { ...state, permissions: { ...before, sandbox: record.mode } };
    case 'permission_noted':
      return withOpen(state, before, { ...requestOf(record), isNoted: true });
    case 'approval_asked': {
      const { id, tool = '', target = record.question, reason = '', rules = [] } = record;
      return withOpen(state, before, { id, tool, target, reason, rules, isNoted: false });
    }
    case 'approval_given':
      return { ...state, permissions: answered(state, before, record) };
  }
}

const requestOf = ({ id, tool, target, reason, rules }: PermissionRequest): PermissionRequest => ({
  id,
  tool,
  target,
  reason,
  rules,
});

function withOpen<State extends Permitted>(
  state: State,
  before: PermissionState,
  request: OpenPermissionRequest,
): State {
  const others = before.open.filter(({ id }) => id !== request.id);
  const isNoted =
    request.isNoted || before.open.some(({ id, isNoted }) => id === request.id && isNoted);
  const open = [...others, { ...request, isNoted }].slice(-MAX_OPEN);
  const answers = before.answers.filter((one) => one.id !== request.id || one.isUsed !== true);
  return { ...state, permissions: { ...before, open, answers } };
}

/**
 * Ids of the answers that a record uses up, because it ends a call that was made, or that a person refused.
 */
export function usedAnswers({ intents }: Pick<RunState, 'intents'>, record: JournalRecord) {
  if (record.type !== 'action_finished') return [];
  const intent = intents[record.id];
  const hasBegun = intent !== undefined || record.status !== 'cancelled';
  return hasBegun && record.status !== 'not_run' ? (record.answered ?? intent?.answered ?? []) : [];
}

export function withUsed(state: RunState, used: readonly string[]): RunState {
  if (used.length === 0 || state.permissions === undefined) return state;
  const answers = state.permissions.answers.map((one) =>
    used.includes(one.id) ? ({ ...one, isUsed: true } as const) : one,
  );
  return { ...state, permissions: { ...state.permissions, answers } };
}

/** Forgets used refusals: once a person has said something, they may be asked about the same call again. */
export const withoutUsedRefusals = (permissions: PermissionState): PermissionState => ({
  ...permissions,
  answers: permissions.answers.filter((one) => one.allowed || one.isUsed !== true),
});

function answered(
  { pending, active, givenUp = null, refused = [] }: Permitted,
  before: PermissionState,
  { id, allowed, why, rule, scope, input, by, door, mac }: RecordOf<'approval_given'>,
): PermissionState {
  const answer = { id, allowed, why, rule, scope, ...defined({ input, by, door, mac }) };
  const request = before.open.find((one) => one.id === id);
  // A check of an open claim is made now; a call of the model that was refused before the claim is not.
  const isCheckDue = active?.claim?.isOpen === true && !refused.some((one) => isCallOf(one, id));
  // A waiting call or check is made now. If none waits, the model has continued without it.
  const isDue = pending?.calls[pending.next] !== undefined || isCheckDue;
  const isCallDue = givenUp === null && isDue;
  const isRegained = allowed && request?.isNoted === true && !isCallDue;
  const isRule = rule !== undefined && scope !== 'call';
  return {
    ...before,
    open: before.open.filter((one) => one.id !== id),
    answers:
      request === undefined && isRule
        ? before.answers
        : [...before.answers.filter((one) => one.id !== id), answer].slice(-MAX_ANSWERS),
    rules: isRule ? [...before.rules, answer].slice(-MAX_RULES) : before.rules,
    isRegained: before.isRegained || isRegained,
  };
}

/** False for what only a check would run. */
const isCallOf = ({ wish, subtask }: RefusedCall, id: string): boolean =>
  wish === id && subtask !== FORESEEN;

/** Consent given before a person adopted the run no longer counts, because someone else may have given it. */
export const withoutPermissions = ({ permissions: _permissions, ...state }: RunState): RunState =>
  state;
