/** What can be put right in a proposed plan without asking again. */

import { belongsToTests, marksPackage } from '../languages/languages.ts';
import { isCommand, isWholeWrite } from '../schema/doing.ts';
import type { ProposedPlan, ProposedSubtask } from './plan-schema.ts';

/** Commands a tool does anyway: folders come with their files. */
const NEEDLESS = /^(mkdir|touch|cd|md)\b/;

/**
 * Folders and files are not made by commands, a file is written once, what
 * marks a package follows the modules it imports, and the proof is not run as a subtask as well,
 * unless it is all there is to do.
 */
export function tidySubtasks(proposed: ProposedPlan): ProposedPlan {
  const isOnce = (subtask: ProposedSubtask): boolean =>
    !isCommand(subtask) || !isProof(subtask.target, proposed);
  const left = withSubtasks(proposed, isOnce);
  return withSubtasks(left.tasks.length > 0 ? left : proposed, wantedOnce());
}

export function withSubtasks(
  proposed: ProposedPlan,
  isWanted: (subtask: ProposedSubtask) => boolean,
): ProposedPlan {
  const tasks = proposed.tasks
    .map((task) => ({ ...task, subtasks: ordered(task.subtasks.filter(isWanted)) }))
    .filter((task) => task.subtasks.length > 0);
  return { ...proposed, tasks };
}

function wantedOnce(): (subtask: ProposedSubtask) => boolean {
  const seen = new Set<string>();
  const isNew = (key: string): boolean => !seen.has(key) && Boolean(seen.add(key));
  return (subtask) => {
    const { target } = subtask;
    if (isCommand(subtask)) return !NEEDLESS.test(target) && isNew(target);
    return !isWholeWrite(subtask) || isNew(`file ${target.toLowerCase()}`);
  };
}

const normal = (file: string): string => file.replaceAll('\\', '/');

const isProof = (cmd: string, proposed: ProposedPlan): boolean =>
  cmd.trim() === proposed.verify?.cmd.trim();

const ordered = (subtasks: readonly ProposedSubtask[]): ProposedSubtask[] => {
  const isMark = (subtask: ProposedSubtask) =>
    isWholeWrite(subtask) && marksPackage(normal(subtask.target));
  if (!subtasks.some(isMark)) return [...subtasks];
  const isTest = (subtask: ProposedSubtask) =>
    isWholeWrite(subtask) && belongsToTests(normal(subtask.target));
  const rank = (subtask: ProposedSubtask) =>
    !isWholeWrite(subtask) ? 3 : isMark(subtask) ? 1 : isTest(subtask) ? 2 : 0;
  return [...subtasks].sort((a, b) => rank(a) - rank(b));
};
