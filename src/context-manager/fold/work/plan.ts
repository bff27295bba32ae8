import { traitsOf } from '../../../schema/driver.ts';
import { BY_TEMPLATE, type Plan, type Subtask } from '../../../schema/plan.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import { withStatus } from '../../../schema/state-parts/plan-status.ts';
import { NO_SURVEY } from '../../../schema/state-parts/run-facts.ts';
import { headLength } from '../../compact-context.ts';
import { markAllResolved } from '../calls/errors.ts';
import type { StateChanges } from '../files/changes.ts';
import { freshSubtask, NO_RECOVERY } from '../initial.ts';
import { claimedNext } from './claimed.ts';
import { freshContent, withContentRequest } from './guided.ts';
import { withoutTry } from './plain-try.ts';
import { surveying } from './survey.ts';
import { withoutFailureSaid } from './withdrawn.ts';

export const foldPlan = (
  state: RunState,
  record: RecordOf<'plan_set'> | RecordOf<'replanned'>,
): RunState => ({
  ...state,
  plan: record.plan,
  ...agreed(state, record),
  // A text that was the answer before the plan is still the answer.
  lastTurn: isClosingText(state) ? state.lastTurn : null,
  replan: null,
  ...surveying(state, NO_SURVEY),
  counters: { ...state.counters, planTries: 0 },
  active: state.active && isIn(record.plan, state.active.id) ? state.active : null,
  ...withoutFailureSaid(state),
  pending: state.pending && {
    ...withoutPlanDue(state.pending),
    // Calls that were made under another plan do not run under this one.
    ...(isOtherPlan(state, record) || isForAnother(state, record) ? { isHalted: true } : {}),
  },
});

/** A guided run repeats the subtask in every question; a free driver's model knows the plan from its own call. */
function agreed(
  state: RunState,
  record: RecordOf<'plan_set'> | RecordOf<'replanned'>,
): Pick<RunState, 'agreement'> {
  if (record.by === undefined || record.by === BY_TEMPLATE) return {};
  const isUnreported = isOtherPlan(state, record) && traitsOf(state.settings).callsTools;
  return { agreement: isUnreported ? 'unreported' : 'given' };
}

const isOtherPlan = (
  { plan }: RunState,
  record: RecordOf<'plan_set'> | RecordOf<'replanned'>,
): boolean => record.by !== undefined && JSON.stringify(plan) !== JSON.stringify(record.plan);

/** True when a different model will work on the plan. */
const isForAnother = (
  { settings }: RunState,
  { plan }: RecordOf<'plan_set'> | RecordOf<'replanned'>,
): boolean => settings?.modelRole === 'plan' && plan.answer_only !== true;

const isClosingText = ({ plan, lastTurn }: RunState): boolean =>
  plan === null && lastTurn?.purpose === 'action' && lastTurn.decoded === 'text';

const isIn = (plan: Plan, wanted: string): boolean => findSubtask(plan, wanted) !== undefined;

const withoutPlanDue = ({
  isPlanDue: _done,
  ...pending
}: NonNullable<RunState['pending']>): NonNullable<RunState['pending']> => pending;

export const foldSubtaskStarted = (
  { joint: _past, ...state }: RunState,
  record: Located<RecordOf<'subtask_started'>>,
): RunState => ({
  ...state,
  plan: withStatus(state.plan, record.subtask, 'in_progress'),
  active: freshSubtask(record.subtask, record.seq),
  ...withContentRequest(state, null),
});

export function foldRound(state: RunState, record: RecordOf<'round_started'>): StateChanges {
  const step = state.plan && findSubtask(state.plan, record.subtask)?.step;
  const calls = record.calls ?? [];
  const isPlannedFile = record.origin === 'planned' && calls.length === 0 && step && !step.args;
  const file = isPlannedFile ? step.target : record.file;
  return {
    round: {
      n: record.n,
      subtask: record.subtask,
      origin: record.origin,
      turns: 0,
      actions: 0,
      isOver: false,
    },
    counters: {
      ...state.counters,
      rounds: record.n,
      idleRounds: (state.counters.idleRounds ?? 0) + 1,
    },
    lastTurn: null,
    // The engine's own calls are not native tool calls.
    pending:
      calls.length > 0
        ? { calls, next: 0, areRecovered: true, unreportedResult: null, isHalted: false }
        : null,
    ...(file === undefined ? {} : withContentRequest(state, freshContent(file))),
  };
}

/** Stores why the subtask in doubt ends as it does. */
const reasonForDoubt = (
  { free }: RunState,
  { summary = '' }: RecordOf<'subtask_finished'>,
): Pick<RunState, 'free'> => {
  const { doubtTold } = free;
  if (doubtTold === undefined || summary === '') return { free };
  return { free: { ...free, doubtTold: { ...doubtTold, answer: summary } } };
};

export function foldSubtaskFinished(
  state: RunState,
  record: Located<RecordOf<'subtask_finished'>>,
): RunState {
  const plan = withStatus(state.plan, record.subtask, record.status, record.summary);
  const next = state.active && claimedNext({ ...state, plan }, state.active, record.seq);
  const isOnWire = state.pending?.areRecovered === false;
  return {
    ...state,
    plan: next ? withStatus(plan, next.id, 'in_progress') : plan,
    active: next,
    ...withContentRequest(state, null),
    // An accepted completion needs no reply. A native call always gets its result, even if another driver
    // leads by now.
    pending: isOnWire || traitsOf(state.settings).callsTools ? state.pending : null,
    ...withoutBranch(state),
    ...reasonForDoubt(state, record),
    answer: record.answer ?? state.answer,
    report: record.report ?? state.report,
    ...withoutFailureSaid(state),
    recentErrors:
      record.status === 'completed' ? markAllResolved(state.recentErrors) : state.recentErrors,
  };
}

export function foldReplanStarted(state: RunState, record: RecordOf<'replan_started'>): RunState {
  const main = withoutBranch(state);
  const isTooLong = state.active !== null && isOverflow(state);
  const isLeft = main.conversation.length > headLength(main.conversation);
  return {
    ...state,
    replan: { n: record.n, why: record.why },
    counters: { ...state.counters, replans: record.n, planTries: 0 },
    overflowRecovery: { ...NO_RECOVERY, isSubtaskOver: isTooLong && isLeft },
    plan: state.active ? withStatus(state.plan, state.active.id, 'failed', record.why) : state.plan,
    active: null,
    ...surveying(state, NO_SURVEY),
    pending: null,
    lastTurn: null,
    ...regained(state),
    ...withContentRequest(withoutTry(state), null),
    ...main,
  };
}

/** Once a missing permission is granted, the goal is no longer given up. */
const regained = ({ permissions }: RunState): Partial<RunState> =>
  permissions?.isRegained
    ? {
        permissions: { ...permissions, isRegained: false },
        finalProof: null,
        verdict: null,
        givenUp: null,
      }
    : {};

/** True when the last request was refused as too long and nothing was done about it yet. */
export const isOverflow = ({ lastTurn }: RunState): boolean =>
  lastTurn?.status.kind === 'context_overflow';

export const withoutBranch = (
  state: RunState,
): Pick<RunState, 'conversation' | 'mainConversation' | 'usage'> => ({
  conversation: state.mainConversation ?? state.conversation,
  mainConversation: null,
  usage: state.mainConversation ? { ...state.usage, floor: {} } : state.usage,
});

function findSubtask({ tasks }: Plan, id: string): Subtask | undefined {
  for (const { subtasks } of tasks) {
    const found = subtasks.find((subtask) => subtask.id === id);
    if (found) return found;
  }
  return undefined;
}
