/** What can be put right in a proposed plan without asking again. */
import type { Installed, Language } from '../languages/language.ts';
import {
  belongsToTests,
  LANGUAGES,
  languageOf,
  marksPackage,
  runsTests,
} from '../languages/languages.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan, ProposedSubtask } from './plan-schema.ts';
import { runCommand, writtenFiles } from './planned-work.ts';

/** Commands a tool does anyway: folders come with their files. */
const NEEDLESS = /^(mkdir|touch|cd|md)\b/;

/**
 * Folders and files are not made by commands, a file is written once, what
 * marks a package follows the modules it imports, and the proof is not run as a subtask as well.
 * Tests that are written are run; a question that is answered by reading has nothing to run.
 */
export function tidySubtasks(given: ProposedPlan, context: PlanContext): ProposedPlan {
  const proposed = withRunner(
    withTestsRun(
      withoutUnaskedTests(withoutNeedlessProof(given, context.goal), context),
      context.installed,
    ),
    context,
  );
  const seen = new Set<string>();
  const isWanted = (subtask: ProposedSubtask): boolean => {
    if (subtask.does === 'runs_commands')
      return (
        !NEEDLESS.test(subtask.target) &&
        !isProof(subtask.target, proposed) &&
        isNew(subtask.target)
      );
    return subtask.does !== 'writes_whole_files' || isNew(`file ${subtask.target.toLowerCase()}`);
  };
  const isNew = (key: string): boolean => !seen.has(key) && Boolean(seen.add(key));
  const tasks = proposed.tasks
    .map((task) => ({ ...task, subtasks: ordered(task.subtasks.filter(isWanted)) }))
    .filter((task) => task.subtasks.length > 0);
  return { ...proposed, tasks };
}

/**
 * Tests nobody asked for are left out: a small model's tests contradict its code as often as not.
 * What the program then does is the proof.
 */
function withoutUnaskedTests(
  proposed: ProposedPlan,
  { goal, installed }: PlanContext,
): ProposedPlan {
  if (/test|spec|verif|check/i.test(goal)) return proposed;
  const files = writtenFiles(proposed).map(normal);
  const program = files.find((file) => !belongsToTests(file));
  if (!files.some(belongsToTests) || program === undefined) return proposed;
  const isTest = (subtask: ProposedSubtask) =>
    subtask.does === 'writes_whole_files' && belongsToTests(normal(subtask.target));
  const tasks = proposed.tasks.map((task) => ({
    ...task,
    subtasks: task.subtasks.filter(
      (subtask) =>
        !isTest(subtask) && !(subtask.does === 'runs_commands' && runsTests(subtask.target)),
    ),
  }));
  const shown = runCommand(program, installed);
  const isTestRun = runsTests(proposed.verify?.cmd ?? '');
  const verify = isTestRun && shown !== null ? { cmd: shown } : proposed.verify;
  return { tasks, ...(verify ? { verify } : {}) };
}

const QUESTION =
  /\?\s*$|^\s*(?:what|which|who|how|why|when|where|list|show|tell|describe|summari[sz]e|explain)\b/i;

/** Small models name `ls` as the proof that a folder was looked at. */
function withoutNeedlessProof({ tasks, verify }: ProposedPlan, goal: string): ProposedPlan {
  const isReading = tasks.every((task) =>
    task.subtasks.every(({ does }) => does === 'reads_files' || does === 'lists_folders'),
  );
  return verify && !(isReading && QUESTION.test(goal)) ? { tasks, verify } : { tasks };
}

/** Where tests are written and no proof is named, running them is the proof. */
export function withTestsRun(proposed: ProposedPlan, installed: Installed): ProposedPlan {
  if (proposed.verify && proposed.verify.cmd.trim() !== '') return proposed;
  const verify = testRunOf(writtenFiles(proposed), installed);
  return verify === null ? proposed : { ...proposed, verify };
}

/** The run of the first tests among the files that anything here can run. */
function testRunOf(files: readonly string[], installed: Installed): ProposedPlan['verify'] | null {
  for (const language of LANGUAGES) {
    const tests = files.map(normal).filter((file) => isTestOf(language, file));
    const run = tests.length > 0 ? language.runs?.testRun(tests, installed) : null;
    if (run) return run;
  }
  return null;
}

const isTestOf = (language: Language, file: string): boolean =>
  languageOf(file) === language && language.isTest(file);

/**
 * A test runner that is not here cannot show anything: where the plan writes the tests itself, and
 * none are there that may need just that one, they are run with what is here.
 */
function withRunner(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { goal, installed, files } = context;
  const cmd = proposed.verify?.cmd ?? '';
  const language = LANGUAGES.find(({ runs }) => runs?.lacksRunner(cmd, goal, installed));
  if (language === undefined || files.some((file) => isTestOf(language, file))) return proposed;
  const tests = writtenFiles(proposed).filter((file) => isTestOf(language, normal(file)));
  const verify = testRunOf(tests, installed);
  return verify === null ? proposed : { ...proposed, verify };
}

const normal = (file: string): string => file.replaceAll('\\', '/');

const isProof = (cmd: string, proposed: ProposedPlan): boolean =>
  cmd.trim() === proposed.verify?.cmd.trim();

const ordered = (subtasks: readonly ProposedSubtask[]): ProposedSubtask[] => {
  const isMark = (subtask: ProposedSubtask) =>
    subtask.does === 'writes_whole_files' && marksPackage(normal(subtask.target));
  if (!subtasks.some(isMark)) return [...subtasks];
  const isTest = (subtask: ProposedSubtask) =>
    subtask.does === 'writes_whole_files' && belongsToTests(normal(subtask.target));
  const rank = (subtask: ProposedSubtask) =>
    subtask.does !== 'writes_whole_files' ? 3 : isMark(subtask) ? 1 : isTest(subtask) ? 2 : 0;
  return [...subtasks].sort((a, b) => rank(a) - rank(b));
};
