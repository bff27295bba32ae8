import {
  type Plan,
  type Subtask,
  type SubtaskStatus,
  statusOfTask,
  type Task,
} from '../../../schema/plan.ts';
import type { RunView } from '../../screen/view.ts';
import { describeStep } from '../records/describe.ts';
import { lineCountText, testsText, type WorkNote } from '../records/notes.ts';
import type { Glyphs } from '../text/style.ts';
import { oneLine, plural } from '../text/text.ts';
import type { DraftTask } from './draft.ts';
import { TONES, type TreeLine } from './plan-tree.ts';

/** Pure: the plan with the results of the work so far, for a person who watches. */
export function workTree(
  { plan, notes, proof }: Pick<RunView, 'plan' | 'notes' | 'proof'>,
  glyphs: Glyphs,
): readonly TreeLine[] {
  if (plan === null) return [];
  const lines = plan.tasks.flatMap((task) => taskLines(task, notes, glyphs));
  return [...lines, ...proofLine(plan, proof, glyphs)];
}

/** A task with one subtask takes one line. */
function taskLines(task: Task, notes: RunView['notes'], glyphs: Glyphs): readonly TreeLine[] {
  const [only, ...others] = task.subtasks;
  const of = (subtask: Subtask): readonly WorkNote[] => notes[subtask.id] ?? [];
  if (only !== undefined && others.length === 0) {
    const step = describeStep(only);
    const about = oneLine(task.description);
    if (about === '' || about === step) return subtaskLines(only, step, of(only), '', glyphs);
    const end = `: ${step}`;
    const [line, ...more] = subtaskLines(only, about + end, of(only), '', glyphs);
    return line === undefined ? [] : [{ ...line, end }, ...more];
  }
  const status = statusOfTask(task);
  const head = `${glyphs.status[status]} ${oneLine(task.description)}`;
  return [
    { text: head, tone: TONES[status], isActive: false },
    ...task.subtasks.flatMap((subtask) =>
      subtaskLines(subtask, describeStep(subtask), of(subtask), '  ', glyphs),
    ),
  ];
}

function subtaskLines(
  subtask: Subtask,
  text: string,
  notes: readonly WorkNote[],
  indent: string,
  glyphs: Glyphs,
): readonly TreeLine[] {
  const { step, status } = subtask;
  const own = notes.find((note) => aboutOf(note) === step?.target);
  const line: TreeLine = {
    text: `${indent}${glyphs.status[status]} ${text}`,
    tone: TONES[status],
    isActive: status === 'in_progress',
    ...(own === undefined ? {} : noteOf(own, glyphs)),
  };
  const more = notes.filter((note) => note !== own);
  return [line, ...more.map((note) => noteLine(note, `${indent}  `, status, glyphs))];
}

const aboutOf = (note: WorkNote): string => (note.kind === 'file' ? note.path : note.cmd);

function noteOf(note: WorkNote, glyphs: Glyphs): Pick<TreeLine, 'note' | 'noteTone'> {
  if (note.kind === 'file') {
    const words = [note.became, lineCountText(note, glyphs)].filter(Boolean).join(' ');
    return { note: words, noteTone: 'plain' };
  }
  const counts = testsText(note.tests);
  const isAnyhow = !note.isGood && note.tests?.failed === 0;
  const words = [counts, ...(counts === '' || isAnyhow ? [note.isGood ? '' : 'failed'] : [])];
  return { note: words.filter(Boolean).join(', '), noteTone: note.isGood ? 'good' : 'bad' };
}

function noteLine(note: WorkNote, indent: string, status: SubtaskStatus, glyphs: Glyphs): TreeLine {
  const mark = note.kind === 'file' || note.isGood ? glyphs.ok : glyphs.failed;
  return {
    text: `${indent}${mark} ${oneLine(aboutOf(note))}`,
    tone: note.kind === 'file' || note.isGood ? 'dim' : 'bad',
    isActive: status === 'in_progress',
    ...noteOf(note, glyphs),
  };
}

/** The proof, which is checked at the end. A result of an earlier plan's proof says nothing about it. */
function proofLine(plan: Plan, last: RunView['proof'], glyphs: Glyphs): readonly TreeLine[] {
  const { proof } = plan;
  if (!proof) return [];
  const ran = last?.cmd === proof.cmd ? last : null;
  const status: SubtaskStatus = ran === null ? 'pending' : ran.isGood ? 'completed' : 'failed';
  const wanted = proof.prints === undefined ? 'ends well' : `says "${oneLine(proof.prints)}"`;
  const says = ran === null ? ` ${wanted}` : '';
  return [
    {
      text: `${glyphs.status[status]} at the end: ${oneLine(proof.cmd)}${says}`,
      tone: TONES[status],
      isActive: false,
      ...(ran === null ? {} : noteOf(ran, glyphs)),
    },
  ];
}

/** A plan that is still being written, with a cursor after its last word. */
export function draftTree(tasks: readonly DraftTask[], glyphs: Glyphs): readonly TreeLine[] {
  const lines = tasks.flatMap(({ description, steps }) => [
    `${glyphs.status.pending} ${description}`,
    ...steps.map((step) => `  ${glyphs.status.pending} ${step}`),
  ]);
  const last = lines.length - 1;
  return lines.map((text, index) => ({
    text: index === last ? `${text} ${glyphs.cursor}` : text,
    tone: 'dim',
    isActive: index === last,
  }));
}

/** The same plan in fewer lines: a task that is not active takes one line. */
export function shortTree(view: RunView, glyphs: Glyphs): readonly TreeLine[] {
  const { plan } = view;
  if (plan === null) return [];
  const lines = plan.tasks.flatMap((task): readonly TreeLine[] => {
    const status = statusOfTask(task);
    const isOpen = task.subtasks.some((subtask) => subtask.status === 'in_progress');
    if (isOpen || task.subtasks.length < 2) return taskLines(task, view.notes, glyphs);
    const text = `${glyphs.status[status]} ${oneLine(task.description)}`;
    const note = plural(task.subtasks.length, 'step');
    return [{ text, tone: TONES[status], isActive: false, note, noteTone: 'dim' }];
  });
  return [...lines, ...proofLine(plan, view.proof, glyphs)];
}
