/** The plan of a plain try: one task with a subtask a file, and what shows the goal. Pure. */
import { isTestPath, LANGUAGES, languageOf } from '../languages/languages.ts';
import { testRunOf } from '../languages/test-runs.ts';
import { saidCommands } from '../probe/said-commands.ts';
import { isWholeWrite } from '../schema/doing.ts';
import { type Plan, subtasksOf } from '../schema/plan.ts';
import { withoutWorkOnGivenTests, withoutWorkOnInputs } from './made-and-given.ts';
import { toPlan } from './parse-plan.ts';
import type { PlanContext } from './plan-context.ts';
import { type ProposedPlan, subtaskWith } from './plan-schema.ts';
import { runCommand, writtenFiles } from './planned-work.ts';

export interface TriedFile {
  readonly path: string;
  readonly text: string;
}

const LONGEST_PURPOSE = 160;

/** `null` where nothing of it may be written: given tests and data that is only given stay. */
export function planOfFiles(files: readonly TriedFile[], context: PlanContext): Plan | null {
  const writer = context.tools.find(isWholeWrite);
  if (!writer) return null;
  const purpose = context.goal.replace(/\s+/g, ' ').slice(0, LONGEST_PURPOSE);
  const subtasks = files.map(({ path }) => subtaskWith(writer, path, purpose));
  const whole: ProposedPlan = { tasks: [{ description: context.goal, subtasks }] };
  const left = withoutWorkOnGivenTests(withoutWorkOnInputs(whole, context), context);
  if (!subtasksOf(left).every(isWholeWrite)) return null;
  const written = writtenFiles(left);
  const cmd = proofOf(
    files.filter(({ path }) => written.includes(path)),
    context,
  );
  return toPlan(cmd === null ? left : { ...left, verify: { cmd } }, context);
}

/** The tests that are there, or came; else the program, as the goal says it is called. */
function proofOf(files: readonly TriedFile[], context: PlanContext): string | null {
  const { installed } = context;
  const paths = files.map(({ path }) => path);
  const tests = testRunOf([...new Set([...context.files, ...paths])], installed);
  const programs = files.filter(isProgram).flatMap(({ path }) => runCommand(path, installed) ?? []);
  const commands = [...(tests ? [tests.cmd] : []), ...saidRuns(paths, context), ...programs];
  const mayRun = (cmd: string): boolean =>
    context.commandFault(cmd) === null && (context.missingProgram(cmd) ?? []).length === 0;
  return commands.find(mayRun) ?? null;
}

/** What only defines shows nothing when it is run. */
const isProgram = ({ path, text }: TriedFile): boolean => {
  const { marksPackage, onlyDefines } = languageOf(path);
  return !isTestPath(path) && marksPackage?.(path) !== true && onlyDefines?.(text) !== true;
};

/** Commands of the goal that run one of the files. */
const saidRuns = (paths: readonly string[], { goal }: PlanContext): readonly string[] =>
  saidCommands(goal).flatMap(({ words }) =>
    [...words.keys()]
      .map((at) => words.slice(at))
      .filter((line) => runs(line).some((file) => paths.includes(file)))
      .slice(0, 1)
      .map((line) => line.join(' ')),
  );

const runs = (words: readonly string[]): readonly string[] =>
  LANGUAGES.flatMap((language) => language.runs?.filesRunBy?.(words) ?? []);
