import { traitsOf } from '../../schema/driver.ts';
import { type Plan, type Subtask, type SubtaskStatus, subtasksOf } from '../../schema/plan.ts';
import type { Located, RecordOf } from '../../schema/records.ts';
import type { ActiveSubtask, RunState } from '../../schema/state.ts';
import { headLength } from '../compact-context.ts';
import { allMended } from './errors.ts';
import { freshContent } from './guided.ts';
import { freshSubtask, NO_RECOVERY } from './initial.ts';

export const foldPlan = (
  state: RunState,
  record: RecordOf<'plan_set'> | RecordOf<'replanned'>,
): RunState => ({
  ...state,
  plan: record.plan,
  lastTurn: null,
  replan: null,
  counters: { ...state.counters, planTries: 0 },
});

export const foldSubtaskStarted = (
  state: RunState,
  record: Located<RecordOf<'subtask_started'>>,
): RunState => ({
  ...state,
  plan: withStatus(state.plan, record.subtask, 'in_progress'),
  active: freshSubtask(record.subtask, record.seq),
  contentRequest: null,
});

export function foldRound(state: RunState, record: RecordOf<'round_started'>): RunState {
  const step = state.plan && findSubtask(state.plan, record.subtask)?.step;
  const calls = record.calls ?? [];
  const isPlannedFile = record.origin === 'planned' && calls.length === 0 && step && !step.args;
  return {
    ...state,
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
      roundsSinceResume: state.counters.roundsSinceResume + 1,
    },
    lastTurn: null,
    active: state.active && isPutBack(state.active, record),
    // The engine's own calls are on no wire.
    pending:
      calls.length > 0
        ? { calls, next: 0, areRecovered: true, unreportedResult: null, isHalted: false }
        : null,
    contentRequest: isPlannedFile ? freshContent(step.target) : state.contentRequest,
  };
}

const isPutBack = (active: ActiveSubtask, { origin }: RecordOf<'round_started'>): ActiveSubtask =>
  origin === 'put_back' ? { ...active, isPutBack: true } : active;

export const foldSubtaskFinished = (
  state: RunState,
  record: RecordOf<'subtask_finished'>,
): RunState => ({
  ...state,
  plan: withStatus(state.plan, record.subtask, record.status, record.summary),
  active: null,
  contentRequest: null,
  // An accepted completion needs no answer, but a call on the wire always gets its result.
  pending: traitsOf(state.settings).callsTools ? state.pending : null,
  ...withoutBranch(state),
  answer: record.answer ?? state.answer,
  report: record.report ?? state.report,
  recentErrors: record.status === 'completed' ? allMended(state.recentErrors) : state.recentErrors,
});

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
    pending: null,
    contentRequest: null,
    lastTurn: null,
    ...main,
  };
}

/** The last request was refused as too long, and nothing has come of it yet. */
export const isOverflow = ({ lastTurn }: RunState): boolean =>
  lastTurn?.status.kind === 'context_overflow';

/** Back to the main conversation, where a branch is open. */
const withoutBranch = (
  state: RunState,
): Pick<RunState, 'conversation' | 'mainConversation' | 'usage'> => ({
  conversation: state.mainConversation ?? state.conversation,
  mainConversation: null,
  usage: state.mainConversation ? { ...state.usage, floor: {} } : state.usage,
});

const findSubtask = (plan: Plan, id: string): Subtask | undefined =>
  subtasksOf(plan).find((subtask) => subtask.id === id);

function withStatus(
  plan: Plan | null,
  id: string,
  status: SubtaskStatus,
  summary?: string,
): Plan | null {
  if (!plan) return plan;
  return {
    ...plan,
    tasks: plan.tasks.map((task) => ({
      ...task,
      subtasks: task.subtasks.map((subtask) =>
        subtask.id === id
          ? { ...subtask, status, ...(summary === undefined ? {} : { summary }) }
          : subtask,
      ),
    })),
  };
}
