/** What of the prompt's examples came back in a plan: weak models copy what they were only shown. Pure. */
import { subtasksOf } from '../schema/plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan } from './plan-schema.ts';
import { normalPath } from './planned-work.ts';

/** So many words in a row are no chance. */
const WORDS_IN_A_ROW = 4;

export const fileLeak = (target: string, context: PlanContext): string | null =>
  isLeakedFile(normalPath(target), context)
    ? `${target} belongs to the example. Name a file of this goal.`
    : null;

/** Whatever its folder and ending; a file that the goal names, or that is there, is meant. */
function isLeakedFile(file: string, { examples, goal, exists }: PlanContext): boolean {
  const isOfExample = examples.files.some((one) => nameOf(one) === nameOf(file));
  return isOfExample && !goal.toLowerCase().includes(nameOf(file)) && !exists(file);
}

/** `src/Word_Count.js` and `word_count.py` have one name. */
const nameOf = (file: string): string =>
  file
    .slice(file.lastIndexOf('/') + 1)
    .replace(/\.\w+$/, '')
    .toLowerCase();

export function wordsLeak(proposed: ProposedPlan, context: PlanContext): string | null {
  for (const text of saidIn(proposed)) {
    const copied = copiedWords(text, context);
    if (copied !== null) return `"${copied}" belongs to the example. Say what this goal needs.`;
  }
  return null;
}

const saidIn = (proposed: ProposedPlan): readonly string[] => [
  ...proposed.tasks.map(({ description }) => description),
  ...subtasksOf(proposed).map(({ purpose }) => purpose),
];

/** Words in a row that the text shares with an example and not with the goal. */
function copiedWords(text: string, { examples, goal }: PlanContext): string | null {
  const own = new Set(rowsOf(goal));
  const shown = new Set(examples.texts.flatMap(rowsOf));
  return rowsOf(text).find((row) => shown.has(row) && !own.has(row)) ?? null;
}

function rowsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const rows = Math.max(0, words.length - WORDS_IN_A_ROW + 1);
  return Array.from({ length: rows }, (_, at) => words.slice(at, at + WORDS_IN_A_ROW).join(' '));
}
