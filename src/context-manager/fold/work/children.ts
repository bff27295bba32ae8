// Folds subtasks that are runs of their own. Pure.
import { defined } from '../../../lib/defined.ts';
import { NO_USAGE } from '../../../schema/model/turn.ts';
import { addUsage } from '../../../schema/model/usage.ts';
import type { Plan } from '../../../schema/plan.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import type { Child, ChildUse } from '../../../schema/state-parts/children.ts';
import { withStatus } from '../../../schema/state-parts/plan-status.ts';
import { type Cost, NO_SURVEY } from '../../../schema/state-parts/run-facts.ts';
import { withContentRequest } from './guided.ts';
import { surveying } from './survey.ts';

type ChildRecord = Located<
  RecordOf<'child_started' | 'child_rested' | 'child_ended' | 'child_joined' | 'child_begun'>
>;

export function foldChild(state: RunState, record: ChildRecord): RunState {
  switch (record.type) {
    case 'child_started': {
      const { subtask, child: run, offset } = record;
      const child = { subtask, run, offset, is: 'running', isTold: false } as const;
      // Recorded once more: its copy begins with other files.
      if (childOf(state, subtask)?.run === run) return withChild(state, subtask, { offset });
      const plan = withStatus(state.plan, subtask, 'in_progress');
      return { ...state, plan, children: [...(state.children ?? []), { ...child, ...NOTHING }] };
    }
    case 'child_rested': {
      const next = using(state, record);
      if (record.paused === undefined) return next;
      const { why, detail, hint, status } = record.paused;
      const paused = { why, detail, ...defined({ hint, status }) };
      return withChild(next, record.subtask, { paused });
    }
    case 'child_ended':
      return ended(state, record);
    case 'child_joined':
      return joined(state, record);
    case 'child_begun':
      return begun(state, record);
  }
}

const NO_USE: ChildUse = { turns: 0, rounds: 0, workedMs: 0, usage: NO_USAGE };

const NOTHING = { summary: '', files: [], roundsBefore: 0, used: NO_USE };

/** Children are reported in the order in which they began, which is the order of the plan. */
export function withChildTold(state: RunState, { cause }: RecordOf<'message_added'>): RunState {
  const first = cause === 'child_joined' ? unreportedChild(state) : undefined;
  return first === undefined ? state : withChild(state, first.subtask, { isTold: true });
}

/** The first child whose end the model does not know. */
export const unreportedChild = ({ children = [] }: Pick<RunState, 'children'>): Child | undefined =>
  children.find(({ is, isTold }) => !isTold && (is === 'joined' || is === 'left'));

export const childOf = (
  { children = [] }: Pick<RunState, 'children'>,
  subtask: string,
): Child | undefined => children.find((one) => one.subtask === subtask);

const withChild = (state: RunState, subtask: string, change: Partial<Child>): RunState => ({
  ...state,
  children: (state.children ?? []).map((one) =>
    one.subtask === subtask ? { ...one, ...change } : one,
  ),
});

function joined(
  state: RunState,
  { subtask, status, summary, files }: RecordOf<'child_joined'>,
): RunState {
  const is = status === undefined ? 'left' : 'joined';
  const next = withChild(state, subtask, { is, summary, files });
  return status === undefined
    ? { ...next, plan: withStatus(state.plan, subtask, 'pending') }
    : { ...next, plan: withStatus(state.plan, subtask, status, summary), joint: [] };
}

/** Unused limits may be enough for other children. Permissions granted in the child change nothing here. */
function ended(state: RunState, record: RecordOf<'child_ended'>): RunState {
  const { subtask, status, summary } = record;
  const next = using(state, record);
  const { permissions } = next;
  return {
    ...withoutPauses(
      withChild(next, subtask, { is: 'ended', summary, ...defined({ status }) }),
      ({ why }) => why.startsWith('limit_'),
    ),
    ...(permissions && { permissions: { ...permissions, isRegained: false } }),
  };
}

/** What the child used since the last report counts here, too. */
function using(state: RunState, record: RecordOf<'child_rested' | 'child_ended'>): RunState {
  const before = childOf(state, record.subtask)?.used ?? NO_USE;
  const { counters, usage } = state;
  const { turns, rounds, workedMs = before.workedMs, cost } = record;
  const used = { turns, rounds, workedMs, usage: record.usage, ...defined({ cost }) };
  return {
    ...withChild(state, record.subtask, { used }),
    usage: {
      ...usage,
      total: addUsage(usage.total, addUsage(record.usage, before.usage, -1)),
      ...(cost && { cost: costAfter(usage.cost, cost, before.cost) }),
    },
    // Without an explicit limit, each run has the default number of rounds.
    ...(state.limits.maxRounds !== undefined && {
      counters: {
        ...counters,
        roundsSinceResume: counters.roundsSinceResume + rounds - before.rounds,
      },
    }),
  };
}

const NO_COST: Cost = { usd: 0, unknownTurns: 0 };

const costAfter = (all = NO_COST, now: Cost, before = NO_COST): Cost => ({
  usd: all.usd + now.usd - before.usd,
  unknownTurns: all.unknownTurns + now.unknownTurns - before.unknownTurns,
});

const withoutPauses = (
  state: RunState,
  isOver: (paused: NonNullable<Child['paused']>) => boolean,
): RunState => ({
  ...state,
  ...(state.children && {
    children: state.children.map(({ paused, ...one }) =>
      paused === undefined || isOver(paused) ? one : { ...one, paused },
    ),
  }),
});

/** A person resumed the run: its children try again, with the rounds of a new start. */
export function withChildrenResumed(state: RunState): RunState {
  const next = withoutPauses(state, () => true);
  if (next.children === undefined) return next;
  const children = next.children.map((one) => ({ ...one, roundsBefore: one.used.rounds }));
  return { ...next, children };
}

/** Keeps the conversation and the known files. Work, limits and the rest of the plan start anew. */
function begun(state: RunState, { subtask, seq }: Located<RecordOf<'child_begun'>>): RunState {
  const { children: _others, joint: _checks, background: _programs, ...others } = state;
  const { refused: _waiting, agreement: _agreed, permissions, ...rest } = others;
  const { cost: _cost, ...usage } = state.usage;
  return {
    ...rest,
    child: { subtask, seq, turns: state.counters.turns },
    ...(permissions && { permissions: { ...permissions, open: [], isRegained: false } }),
    plan: planOf(state.plan, subtask),
    active: null,
    round: null,
    pending: null,
    lastTurn: null,
    wait: null,
    proof: null,
    conversation: state.mainConversation ?? state.conversation,
    mainConversation: null,
    ...surveying(state, NO_SURVEY),
    ...withContentRequest(state, null),
    limits: {},
    workedMs: 0,
    answer: null,
    report: null,
    counters: { ...state.counters, rounds: 0, roundsSinceResume: 0, replans: 0 },
    usage: { ...usage, total: NO_USAGE },
  };
}

/** Drops the proof, because it covers the whole plan. */
const planOf = (plan: Plan | null, subtask: string): Plan | null =>
  plan && {
    tasks: plan.tasks.flatMap((task) => {
      const subtasks = task.subtasks.filter(({ id }) => id === subtask);
      return subtasks.length === 0 ? [] : [{ ...task, subtasks }];
    }),
    fallback: plan.fallback,
  };
