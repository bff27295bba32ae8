/**
 * Works on several subtasks at the same time, each as a run of its own.
 * 1. A child is journalled here before anything is created for it. Its end is journalled here after it is
 *    durable in its own journal.
 * 2. If this process ends for any reason, the next one continues with the journals of children that have not
 *    ended.
 * 3. If a person, a limit or a provider stops a child, this run pauses once all other children have ended or
 *    wait too. A child that cannot get any further has ended, and its subtask is done here.
 */
import { childOf } from '../../context-manager/fold/work/children.ts';
import { listed } from '../../evidence/evidence.ts';
import { lossesOf, lostPaths } from '../../evidence/users-files.ts';
import { defined } from '../../lib/defined.ts';
import { interruptibleRunner } from '../../lib/interruptible.ts';
import { subtasksOf } from '../../schema/plan.ts';
import type { RecordOf } from '../../schema/records.ts';
import type { Paused, RunState } from '../../schema/state.ts';
import type { Child } from '../../schema/state-parts/children.ts';
import { hasOpenRefusal } from '../../steps/gate/not-done.ts';
import { isPending } from '../../steps/select.ts';
import type { RunResult } from '../result.ts';
import { begun, childId } from './begin.ts';
import type { ChildPort, ParentRun } from './contract.ts';
import { asText, hashesIn } from './files.ts';
import { oneAtATime, requestFor } from './request.ts';

/** @returns why this run pauses; `null`: it continues */
export async function workChildren(
  parent: ParentRun,
  subtasks: readonly string[],
  port: ChildPort,
): Promise<Paused | null> {
  const request = { ...port.request, ask: oneAtATime(port.request.ask) };
  const paused = new Map<string, Paused>();
  const failed: unknown[] = [];
  const queue = [...subtasks];
  const work = async (): Promise<void> => {
    while (failed.length === 0 && !parent.signal.aborted) {
      const next = queue.shift();
      if (next === undefined) return;
      try {
        const why = await workChild(parent, next, { ...port, request });
        if (why !== null) paused.set(next, why);
      } catch (error) {
        failed.push(error);
      }
    }
  };
  const { parallel = 1 } = parent.limits;
  await Promise.all(Array.from({ length: Math.min(parallel, subtasks.length) }, work));
  if (failed.length > 0) throw failed[0];
  parent.context.sync('effect');
  const all = subtasks.flatMap((one) => paused.get(one) ?? []);
  // The limits that the other children left unused may be enough for these.
  const isFurther =
    all.length < subtasks.length && all.every(({ why }) => why.startsWith('limit_'));
  return isFurther ? null : (all[0] ?? null);
}

async function workChild(
  parent: ParentRun,
  subtask: string,
  { request, open }: ChildPort,
): Promise<Paused | null> {
  const { context } = parent;
  const child = childOf(context.state, subtask) ?? (await started(parent, subtask));
  const why = await begun(parent, child, request);
  if (parent.signal.aborted) return null;
  if (why !== null) {
    context.record({ type: 'child_ended', ...NOTHING_DONE, subtask, summary: why });
    return null;
  }
  const isOpen = ({ id }: { readonly id: string }): boolean =>
    childOf(context.state, id)?.is !== 'ended';
  const count = subtasksOf(context.state.plan ?? { tasks: [] }).filter(
    (one) => childOf(context.state, one.id) !== undefined && isOpen(one),
  ).length;
  const run = await open(
    requestFor(parent, child, request, { open: count, state: () => run.state() }),
  );
  try {
    let { result } = run;
    while (result === null) result = await run.takeStep();
    if (result.ending === 'paused' && !ENDINGS.has(result.why)) return pauseOf(result, subtask);
    context.record({ type: 'child_ended', subtask, ...endOf(result, parent) });
    context.sync('end');
    return null;
  } finally {
    await run.close();
  }
}

async function started(parent: ParentRun, subtask: string): Promise<Child> {
  const { context, toolContext } = parent;
  const hashes = await interruptibleRunner(parent.clock, parent.signal)(hashesIn(toolContext));
  const child = childId(context.state, subtask);
  const files = asText(hashes ?? new Map());
  context.record({ type: 'child_started', subtask, child, files });
  context.sync('effect');
  const known = childOf(context.state, subtask);
  if (known === undefined) throw new Error(`The child of ${subtask} is not known.`);
  return known;
}

type End = Omit<RecordOf<'child_ended'>, 'type' | 'subtask'>;

const NOTHING_DONE = {
  ...{ turns: 0, rounds: 0 },
  usage: { input: 0, output: 0, thinking: 0, cacheRead: 0, cacheWrite: 0, modelMs: 0 },
} as const;

/** Pauses that nothing from outside can resolve. */
const ENDINGS: ReadonlySet<Paused['why']> = new Set<Paused['why']>([
  'stalled',
  'context_overflow',
  'refused',
]);

function pauseOf({ why, detail, hint, status }: Paused, subtask: string): Paused {
  const isLimit = why.startsWith('limit_');
  return {
    why,
    detail: `subtask ${subtask}, a run of its own: ${detail}`,
    // The hint names the limit of the run, not the child's share.
    ...(isLimit ? { hint: 'Go on with a higher limit.' } : defined({ hint })),
    ...defined({ status }),
  };
}

const LONGEST_SUMMARY = 600;

/** If the child lost or left out something, its subtask must not count as done. */
function endOf(result: RunResult, { policy }: ParentRun): End {
  const { state } = result;
  const { counters, usage, plan, ended } = state;
  const own = (plan ? subtasksOf(plan) : []).filter(({ status }) => status !== 'failed');
  const lost = lostPaths(lossesOf(state, policy.mayRemove));
  const isNotDone =
    ended === null || ended.ending === 'failed' || own.length === 0 || own.some(isPending);
  const why = isNotDone
    ? reasonOf(result, state)
    : hasOpenRefusal(state)
      ? 'a call was refused there'
      : lost.length > 0
        ? `a command there changed or removed ${listed(lost)}`
        : null;
  const said = result.answer ?? result.summary ?? own.at(-1)?.summary ?? '';
  const isShown = own.every(({ status }) => status === 'completed');
  return {
    ...(why === null ? { status: isShown ? 'completed' : 'unverified' } : {}),
    summary: (why ?? said).replace(/\s+/g, ' ').trim().slice(0, LONGEST_SUMMARY),
    turns: counters.turns - (state.child?.turns ?? 0),
    rounds: counters.rounds,
    usage: usage.total,
    ...defined({ cost: usage.cost }),
  };
}

const reasonOf = (result: RunResult, { ended }: RunState): string =>
  ended === null ? result.detail : ended.detail;
