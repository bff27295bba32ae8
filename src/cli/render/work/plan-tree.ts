import { type Plan, type Subtask, type SubtaskStatus, statusOfTask } from '../../../schema/plan.ts';
import type { RunState } from '../../../schema/state.ts';
import { describeCheck } from '../../../shown/checks.ts';
import { describeStep } from '../records/describe.ts';
import type { Glyphs, Tone } from '../text/style.ts';
import { oneLine } from '../text/text.ts';

/** Pure: the plan as indented lines, each with the state of its task or subtask. */
export interface TreeLine {
  readonly text: string;
  readonly tone: Tone;
  readonly isActive: boolean;
  /** The end of the text; the part before it is shortened first. */
  readonly end?: string;
  /** Follows the text and is never cut. */
  readonly note?: string;
  readonly noteTone?: Tone;
}

export const TONES: { readonly [S in SubtaskStatus]: Tone } = {
  pending: 'dim',
  in_progress: 'active',
  completed: 'good',
  unverified: 'warning',
  failed: 'bad',
};

/**
 * The plan as shown to people: a subtask that the proof does not cover is shown as unverified, and none is in progress
 * once the run has ended.
 */
export function shownPlan({
  plan,
  verdict,
  ended,
}: Pick<RunState, 'plan' | 'verdict' | 'ended'>): Plan | null {
  if (plan === null) return null;
  const beyond = new Set(verdict?.beyond?.subtasks);
  const shown = (subtask: Subtask): Subtask => {
    if (beyond.has(subtask.id)) return { ...subtask, status: 'unverified' };
    const isLeft = ended !== null && subtask.status === 'in_progress';
    return isLeft ? { ...subtask, status: 'pending' } : subtask;
  };
  const tasks = plan.tasks.map((task) => ({ ...task, subtasks: task.subtasks.map(shown) }));
  return { ...plan, tasks };
}

export function planTree(plan: Plan, glyphs: Glyphs): readonly TreeLine[] {
  const lines: TreeLine[] = [];
  for (const task of plan.tasks) {
    const status = statusOfTask(task);
    lines.push(
      line(`${glyphs.status[status]} ${oneLine(task.id)} ${oneLine(task.description)}`, status),
    );
    for (const subtask of task.subtasks) {
      const step = describeStep(subtask);
      lines.push(
        line(
          `  ${glyphs.status[subtask.status]} ${oneLine(subtask.id)} ${step}`,
          subtask.status,
          true,
        ),
      );
    }
  }
  if (plan.proof)
    lines.push({ text: `  proof: ${describeCheck(plan.proof)}`, tone: 'dim', isActive: false });
  return lines;
}

const line = (text: string, status: SubtaskStatus, isSubtask = false): TreeLine => ({
  text,
  tone: TONES[status],
  isActive: isSubtask && status === 'in_progress',
});

/** At most `height` lines around the active one; it says how many are left out. */
export function linesAroundActive(
  lines: readonly TreeLine[],
  height: number,
  glyphs: Glyphs,
): readonly TreeLine[] {
  if (lines.length <= height) return lines;
  const room = Math.max(1, height - 2);
  const active = Math.max(
    0,
    lines.findIndex((candidate) => candidate.isActive),
  );
  const start = Math.min(Math.max(0, active - Math.floor(room / 2)), lines.length - room);
  const end = start + room;
  const more = (number: number): TreeLine[] =>
    number === 0
      ? []
      : [{ text: `  ${glyphs.ellipsis} ${number} more`, tone: 'dim', isActive: false }];
  return [...more(start), ...lines.slice(start, end), ...more(lines.length - end)];
}
