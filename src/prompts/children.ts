/** Messages about subtasks that are runs of their own: to such a run, and to its parent. */
import type { Child } from '../schema/state-parts/children.ts';

/** @param ending the tool that ends a subtask */
export const workApart = (subtask: string, ending: string): string =>
  `You work on subtask ${subtask} alone, in a copy of the folder as it is now. Other subtasks are done elsewhere at the same time: nothing of them is here, and they are not yours. When it is done, call ${ending}.`;

export function workedApart({ subtask, is, status, summary, files }: Child): string {
  if (is === 'left')
    return `Subtask ${subtask} was worked on in a copy of the folder, and nothing of that is taken: ${sentence(summary)} It is still to be done.`;
  const end =
    status === 'completed' ? 'is completed' : 'is ended, and nothing shows that it is done';
  const changed = files.length > 0 ? `It changed ${files.join(', ')}.` : 'It changed no file.';
  return `Subtask ${subtask}, worked on in a copy of the folder, ${end}. ${changed} ${summary}`.trim();
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
