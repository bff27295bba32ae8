/**
 * Works on several subtasks at the same time, each as a run of its own.
 * 1. A child is journalled here before anything is created for it. Its end is journalled here after it is
 *    durable in its own journal.
 * 2. If this process ends for any reason, the next one continues with the journals of children that have not
 *    ended.
 * 3. If a person, a limit or a provider stops a child, the reason is journalled here with what the child used.
 *    A child that cannot get any further has ended, and its subtask is done here.
 * 4. A step ends with the last child, or soon after the caller wants the run back.
 */

import { childOf } from '../../context-manager/fold/work/children.ts';
import { listed } from '../../evidence/evidence.ts';
import { unaskedChangesByName } from '../../evidence/unasked-changes.ts';
import { lossesOfRun, lostPaths } from '../../evidence/users-files.ts';
import { defined } from '../../lib/defined.ts';
import { interruptibleRunner } from '../../lib/interruptible.ts';
import { onOneLine } from '../../lib/text/one-line.ts';
import { NO_USAGE } from '../../schema/model/turn.ts';
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
import { childRequestFor, oneAtATime } from './request.ts';

export async function workChildren(
  parent: ParentRun,
  subtasks: readonly string[],
  port: ChildPort,
): Promise<void> {
  const request = { ...port.request, ask: oneAtATime(port.request.ask) };
  const failed: unknown[] = [];
  const queue = [...subtasks];
  const work = async (): Promise<void> => {
    do {
      const next = queue.shift();
      if (next === undefined) return;
      try {
        await workChild(parent, next, { ...port, request });
      } catch (error) {
        failed.push(error);
      }
    } while (failed.length === 0 && !parent.signal.aborted && !port.isDue());
  };
  const { parallel = 1 } = parent.limits;
  await Promise.all(Array.from({ length: Math.min(parallel, subtasks.length) }, work));
  if (failed.length > 0) throw failed[0];
  parent.context.sync('effect');
}

async function workChild(
  parent: ParentRun,
  subtask: string,
  { request, open, isDue }: ChildPort,
): Promise<void> {
  const { context } = parent;
  const child = childOf(context.state, subtask) ?? (await started(parent, subtask));
  const why = await begun(parent, child, request);
  if (parent.signal.aborted) return;
  if (why !== null) {
    context.record({ type: 'child_ended', ...NOTHING_DONE, subtask, summary: why });
    return;
  }
  const run = await open(childRequestFor(parent, child, request, { state: () => run.state() }));
  try {
    let { result } = run;
    while (result === null) {
      result = await run.takeStep();
      if (isDue()) break;
    }
    context.record({ subtask, ...outcomeOf(result, run.state(), parent, subtask) });
    context.sync('end');
  } finally {
    await run.close();
  }
}

function outcomeOf(
  result: RunResult | null,
  state: RunState,
  parent: ParentRun,
  subtask: string,
): Omit<RecordOf<'child_rested'>, 'subtask'> | Omit<RecordOf<'child_ended'>, 'subtask'> {
  const rested = { type: 'child_rested', ...usedBy(state) } as const;
  if (result === null) return rested;
  if (result.ending !== 'paused' || ENDINGS.has(result.why))
    return { type: 'child_ended', ...endOf(result, parent), ...usedBy(state) };
  // The parent run reports the interruption itself.
  return result.why === 'interrupted' ? rested : { ...rested, paused: pauseOf(result, subtask) };
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

type End = Pick<RecordOf<'child_ended'>, 'status' | 'summary'>;

const NOTHING_DONE = { turns: 0, rounds: 0, usage: NO_USAGE } as const;

const usedBy = ({ counters, child, usage, workedMs }: RunState) => ({
  turns: counters.turns - (child?.turns ?? 0),
  rounds: counters.roundsSinceResume,
  workedMs,
  usage: usage.total,
  ...defined({ cost: usage.cost }),
});

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
function endOf(result: RunResult, parent: ParentRun): End {
  const { state } = result;
  const { plan, ended } = state;
  const own = (plan ? subtasksOf(plan) : []).filter(({ status }) => status !== 'failed');
  const lost = lostPaths(lossesOfRun(state, unaskedChangesByName(parent)));
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
    summary: onOneLine(why ?? said).slice(0, LONGEST_SUMMARY),
  };
}

const reasonOf = (result: RunResult, { ended }: RunState): string =>
  ended === null ? result.detail : ended.detail;
