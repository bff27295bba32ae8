/** What can be put right in a proposed plan without asking again. */
import type { ProposedPlan, ProposedSubtask } from './plan-schema.ts';

/** Commands a tool does anyway: folders come with their files. */
const NEEDLESS = /^(mkdir|touch|cd|md)\b/;

/**
 * Folders and files are not made by commands, a file is written once, a package's `__init__`
 * follows the modules it imports, and the proof is not run as a subtask as well.
 */
export function tidySubtasks(proposed: ProposedPlan): ProposedPlan {
  const seen = new Set<string>();
  const isWanted = (subtask: ProposedSubtask): boolean => {
    if (subtask.action === 'run_cmd')
      return !NEEDLESS.test(subtask.cmd) && !isProof(subtask.cmd, proposed) && isNew(subtask.cmd);
    return subtask.action !== 'write_file' || isNew(`file ${subtask.file.toLowerCase()}`);
  };
  const isNew = (key: string): boolean => !seen.has(key) && Boolean(seen.add(key));
  const tasks = proposed.tasks
    .map((task) => ({ ...task, subtasks: ordered(task.subtasks.filter(isWanted)) }))
    .filter((task) => task.subtasks.length > 0);
  return { ...proposed, tasks };
}

const isProof = (cmd: string, proposed: ProposedPlan): boolean =>
  cmd.trim() === proposed.verify?.cmd.trim();

const ordered = (subtasks: readonly ProposedSubtask[]): ProposedSubtask[] => {
  const isInit = (subtask: ProposedSubtask) =>
    subtask.action === 'write_file' && /(^|[\\/])__init__\.py$/.test(subtask.file);
  const files = subtasks.filter((subtask) => subtask.action === 'write_file');
  if (!files.some(isInit)) return [...subtasks];
  const isTest = (subtask: ProposedSubtask) =>
    subtask.action === 'write_file' && /(^|[\\/])test_|tests?[\\/]/.test(subtask.file);
  const rank = (subtask: ProposedSubtask) =>
    subtask.action !== 'write_file' ? 3 : isInit(subtask) ? 1 : isTest(subtask) ? 2 : 0;
  return [...subtasks].sort((a, b) => rank(a) - rank(b));
};
