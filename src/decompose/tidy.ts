/** What can be put right in a proposed plan without asking again. */
import type { ProposedPlan, ProposedSubtask } from './plan-schema.ts';

/** Commands a tool does anyway: folders come with their files. */
const NEEDLESS = /^(mkdir|touch|cd|md)\b/;

/**
 * Folders and files are not made by commands, a file is written once, a package's `__init__`
 * follows the modules it imports, and the proof is not run as a subtask as well.
 * Tests that are written are run; a question that is answered by reading has nothing to run.
 */
export function tidySubtasks(given: ProposedPlan, goal: string): ProposedPlan {
  const proposed = withTestsRun(withoutUnaskedTests(withoutNeedlessProof(given, goal), goal));
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

const TEST_FILE = /(^|[\\/])test_[^\\/]*$|[._]test\.\w+$|(^|[\\/])tests?[\\/]/;

/**
 * Tests nobody asked for are left out: a small model's tests contradict its code as often as not.
 * What the program then does is the proof.
 */
function withoutUnaskedTests(proposed: ProposedPlan, goal: string): ProposedPlan {
  if (/test|spec|verif|check/i.test(goal)) return proposed;
  const isTest = (subtask: ProposedSubtask) =>
    subtask.action === 'write_file' && TEST_FILE.test(subtask.file);
  const all = proposed.tasks.flatMap((task) => task.subtasks);
  const program = all.find((subtask) => subtask.action === 'write_file' && !isTest(subtask));
  if (!all.some(isTest) || program?.action !== 'write_file') return proposed;
  const tasks = proposed.tasks.map((task) => ({
    ...task,
    subtasks: task.subtasks.filter(
      (subtask) => !isTest(subtask) && !(subtask.action === 'run_cmd' && runsTests(subtask.cmd)),
    ),
  }));
  const cmd = proposed.verify?.cmd ?? '';
  const runner = /\.py$/.test(program.file)
    ? 'python'
    : /\.[mc]?js$/.test(program.file)
      ? 'node'
      : '';
  const verify =
    runsTests(cmd) && runner !== '' ? { cmd: `${runner} ${program.file}` } : proposed.verify;
  return { tasks, ...(verify ? { verify } : {}) };
}

const QUESTION =
  /\?\s*$|^\s*(?:what|which|who|how|why|when|where|list|show|tell|describe|summari[sz]e|explain)\b/i;

/** Small models name `ls` as the proof that a folder was looked at. */
function withoutNeedlessProof({ tasks, verify }: ProposedPlan, goal: string): ProposedPlan {
  const isReading = tasks.every((task) =>
    task.subtasks.every(({ action }) => action === 'read_file' || action === 'list_dir'),
  );
  return verify && !(isReading && QUESTION.test(goal)) ? { tasks, verify } : { tasks };
}

/** Where tests are written and no proof is named, running them is the proof. */
export function withTestsRun(proposed: ProposedPlan): ProposedPlan {
  if (proposed.verify && proposed.verify.cmd.trim() !== '') return proposed;
  const files = proposed.tasks.flatMap((task) =>
    task.subtasks.flatMap((one) => (one.action === 'write_file' ? [one.file] : [])),
  );
  if (files.some((file) => /(^|[\\/])(test_[^\\/]+|[^\\/]+_test)\.py$/.test(file)))
    return { ...proposed, verify: { cmd: 'python -m pytest -q', prints: 'passed' } };
  return files.some((file) => /\.test\.[mc]?js$/.test(file))
    ? { ...proposed, verify: { cmd: 'node --test' } }
    : proposed;
}

const runsTests = (cmd: string): boolean => /pytest|unittest|--test|test_|\.test\./.test(cmd);

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
