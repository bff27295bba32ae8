/** Marks the steps of a plan: checked, only done, and only claimed look different. Pure. */
import type { Plan, Subtask } from '../../schema/plan.ts';
import type { Label } from './label.ts';
import type { WatchedWork } from './work.ts';

/** Whether a process works on it; `seen`: it did when the page last heard of it. */
export type LifeSign = 'live' | 'seen' | 'still';

const CHECKED: Label = { word: 'done, and its check passed', shape: 'done', tone: 'plain' };
/** A proof covers the step, though not necessarily each of its changes. */
const PROVED: Label = { word: 'done; the proof passed after it', shape: 'done', tone: 'plain' };
const DONE: Label = { word: 'finished, not checked', shape: 'unchecked', tone: 'plain' };
const CLAIMED: Label = { word: 'only said to be done', shape: 'unsure', tone: 'plain' };
const UNDONE: Label = { word: 'undone', shape: 'undone', tone: 'plain' };
const TO_DO: Label = { word: 'to do', shape: 'open', tone: 'plain' };
const FAILED: Label = { word: 'failed', shape: 'failed', tone: 'bad' };
const IN_WORK: { readonly [live in LifeSign]: Label } = {
  live: { word: 'working', shape: 'working', tone: 'live' },
  seen: { word: 'working when last seen', shape: 'working', tone: 'plain' },
  still: { word: 'stopped here', shape: 'paused', tone: 'plain' },
};

export function stepOf(subtask: Subtask, work: WatchedWork, live: LifeSign): Label {
  switch (subtask.status) {
    case 'pending':
      return TO_DO;
    case 'in_progress':
      return IN_WORK[live];
    case 'failed':
      return FAILED;
    case 'completed':
    case 'unverified':
      if (isUndone(subtask, work)) return UNDONE;
      if (subtask.status === 'unverified') return CLAIMED;
      return checkedBy(subtask, work) ?? DONE;
    default:
      return subtask.status satisfies never;
  }
}

/** Whether one of its files was restored by an undo. */
function isUndone({ id, step, files = [] }: Subtask, { putBack, entries }: WatchedWork): boolean {
  if (putBack.length === 0) return false;
  const changed = entries.flatMap((one) =>
    one.kind === 'action' && one.subtask === id ? one.files.map(({ path }) => path) : [],
  );
  const ownFiles = new Set([...(step ? [step.target] : []), ...files, ...changed]);
  return putBack.some((path) => ownFiles.has(path));
}

/**
 * The label of a subtask that its own check shows to be done, or a proof, unless the verdict says that the
 * proof does not cover it.
 */
function checkedBy({ id }: Subtask, work: WatchedWork): Label | null {
  const { entries, standing, beyond, putBack } = work;
  const last = entries.findLast(
    (one) => one.kind === 'check' && !one.isProof && one.copy === '' && one.subtask === id,
  );
  if (last?.kind === 'check' && !last.isSkipped) return last.passed ? CHECKED : null;
  const isProved = standing === 'achieved' && putBack.length === 0;
  return isProved && beyond !== null && !beyond.subtasks.includes(id) ? PROVED : null;
}

/** A task has the mark of its least advanced subtask. */
export function taskOf(
  { subtasks }: Plan['tasks'][number],
  work: WatchedWork,
  live: LifeSign,
): Label {
  const steps = subtasks.map((one) => stepOf(one, work, live));
  const firstOf = (...shapes: readonly Label['shape'][]) =>
    shapes.map((shape) => steps.find((one) => one.shape === shape)).find(Boolean);
  const firstBegun = firstOf('working', 'paused', 'failed');
  if (firstBegun !== undefined) return firstBegun;
  const isBegun = steps.some(({ shape }) => shape !== 'open');
  if (isBegun && firstOf('open')) return IN_WORK[live];
  return firstOf('open', 'undone', 'unsure', 'unchecked', 'done') ?? TO_DO;
}

/** Each mark of the plan once. */
export function planMarks(work: WatchedWork, live: LifeSign): readonly Label[] {
  const all = (work.plan?.tasks ?? []).flatMap((task) =>
    task.subtasks.map((one) => stepOf(one, work, live)),
  );
  return [...new Set(all)];
}
