/** How the steps of a plan are marked: what is shown by a check differs from what is only done, or only said. Pure. */
import type { Plan, Subtask } from '../../schema/plan.ts';
import type { Said } from './said.ts';
import type { Work } from './work.ts';

/** Whether anybody works on it; `seen`: nobody tells what goes on now. */
export type Liveness = 'live' | 'seen' | 'still';

const CHECKED: Said = { word: 'done, and its check passed', shape: 'done', tone: 'plain' };
/** Which of its changes a proof notices by itself is not known. */
const PROVED: Said = { word: 'done; the proof passed after it', shape: 'done', tone: 'plain' };
const DONE: Said = { word: 'finished, not checked', shape: 'told', tone: 'plain' };
const CLAIMED: Said = { word: 'only said to be done', shape: 'unsure', tone: 'plain' };
const UNDONE: Said = { word: 'undone', shape: 'undone', tone: 'plain' };
const TO_DO: Said = { word: 'to do', shape: 'open', tone: 'plain' };
const FAILED: Said = { word: 'failed', shape: 'failed', tone: 'bad' };
const IN_WORK: { readonly [live in Liveness]: Said } = {
  live: { word: 'working', shape: 'working', tone: 'live' },
  seen: { word: 'working when last seen', shape: 'working', tone: 'plain' },
  still: { word: 'stopped here', shape: 'paused', tone: 'plain' },
};

export function stepOf(subtask: Subtask, work: Work, live: Liveness): Said {
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

/** A file of it was put back. */
function isUndone({ id, step, files = [] }: Subtask, { putBack, entries }: Work): boolean {
  if (putBack.length === 0) return false;
  const changed = entries.flatMap((one) =>
    one.kind === 'action' && one.subtask === id ? one.files.map(({ path }) => path) : [],
  );
  const own = new Set([...(step ? [step.target] : []), ...files, ...changed]);
  return putBack.some((path) => own.has(path));
}

/** Its own check, or a proof of which the verdict does not say that it is about something else. */
function checkedBy({ id }: Subtask, work: Work): Said | null {
  const { entries, standing, beyond, putBack } = work;
  const last = entries.findLast(
    (one) => one.kind === 'check' && !one.isProof && one.copy === '' && one.subtask === id,
  );
  if (last?.kind === 'check' && !last.isSkipped) return last.passed ? CHECKED : null;
  const isProved = standing === 'achieved' && putBack.length === 0;
  return isProved && beyond !== null && !beyond.subtasks.includes(id) ? PROVED : null;
}

/** A task is what its subtasks are, the least of them first. */
export function taskOf({ subtasks }: Plan['tasks'][number], work: Work, live: Liveness): Said {
  const steps = subtasks.map((one) => stepOf(one, work, live));
  const find = (...shapes: readonly Said['shape'][]) =>
    shapes.map((shape) => steps.find((one) => one.shape === shape)).find(Boolean);
  const begun = find('working', 'paused', 'failed');
  if (begun !== undefined) return begun;
  const isBegun = steps.some(({ shape }) => shape !== 'open');
  if (isBegun && find('open')) return IN_WORK[live];
  return find('open', 'undone', 'unsure', 'told', 'done') ?? TO_DO;
}

/** The marks that the plan has, each once. */
export function marksOf(work: Work, live: Liveness): readonly Said[] {
  const all = (work.plan?.tasks ?? []).flatMap((task) =>
    task.subtasks.map((one) => stepOf(one, work, live)),
  );
  return [...new Set(all)];
}
