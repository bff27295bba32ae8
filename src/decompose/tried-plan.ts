/** The plan that results from a plain try: one task with one subtask per file, and the proof. Pure. */
import { isTestPath, LANGUAGES, languageOf } from '../languages/languages.ts';
import { testRunOf } from '../languages/testing/test-runs.ts';
import { isWholeWrite } from '../schema/capability.ts';
import type { Brief } from '../schema/model/brief.ts';
import type { Plan } from '../schema/plan.ts';
import { isToStay, isUsersTest } from './must-stay.ts';
import { toPlan } from './parse-plan.ts';
import type { PlanContext } from './plan-context.ts';
import { subtaskWith } from './plan-schema.ts';
import { commandRunning, namedAndMissing } from './planned-work.ts';

export interface TriedFile {
  readonly path: string;
  readonly text: string;
}

const LONGEST_PURPOSE = 160;

/** `null` if nothing of it may be written: existing tests and files that must stay are not changed. */
export function planOfFiles(
  files: readonly TriedFile[],
  context: PlanContext,
  brief?: Brief,
): Plan | null {
  const writer = context.tools.find(isWholeWrite);
  if (!writer) return null;
  const purpose = context.goal.replace(/\s+/g, ' ').slice(0, LONGEST_PURPOSE);
  const left = files.filter(({ path }) => !isToStay(path, context) && !isUsersTest(path, context));
  if (left.length === 0) return null;
  // Files that the goal names and the answer lacks are asked for separately.
  const paths = left.map(({ path }) => path);
  const wanted = [...paths, ...namedAndMissing(paths, context)];
  const subtasks = wanted.map((path) => subtaskWith(writer, path, purpose));
  const tasks = [{ description: context.goal, subtasks }];
  const cmd = context.givenProof ?? proofOf(left, context, brief?.examples ?? []);
  return toPlan(cmd === null ? { tasks } : { tasks, verify: { cmd } }, context);
}

/** Existing or written tests; otherwise the program, called as the goal says. */
function proofOf(
  files: readonly TriedFile[],
  context: PlanContext,
  examples: Brief['examples'],
): string | null {
  const { installed } = context;
  const paths = files.map(({ path }) => path);
  const tests = testRunOf([...new Set([...context.files, ...paths])], installed);
  const programs = files
    .filter(isProgram)
    .flatMap(({ path }) => commandRunning(path, installed) ?? []);
  const commands = [
    ...(tests ? [tests.cmd] : []),
    ...runsInBrief(paths, examples, context),
    ...programs,
  ];
  const mayRun = (cmd: string): boolean =>
    context.commandFault(cmd) === null && (context.missingProgram(cmd) ?? []).length === 0;
  return commands.find(mayRun) ?? null;
}

/** Code that only defines things shows nothing when it runs. */
const isProgram = ({ path, text }: TriedFile): boolean => {
  const { marksPackage, onlyDefines } = languageOf(path);
  return !isTestPath(path) && marksPackage?.(path) !== true && onlyDefines?.(text) !== true;
};

/** Command lines of the brief that run one of the files. */
const runsInBrief = (
  paths: readonly string[],
  examples: Brief['examples'],
  { installed }: PlanContext,
): readonly string[] =>
  examples.flatMap(({ input }) => {
    if (input.how !== 'argv' || input.argv.some((word) => /["'\\\s]/.test(word))) return [];
    const [first = '', ...rest] = input.argv;
    const run = paths.includes(first) ? commandRunning(first, installed) : null;
    if (run !== null) return [[run, ...rest].join(' ')];
    const isRun = LANGUAGES.some(({ runs }) =>
      runs?.filesRunBy?.(input.argv).some((file) => paths.includes(file)),
    );
    return isRun ? [input.argv.join(' ')] : [];
  });
