/** What becomes of the proof that a plan names: one that can be run here and that shows something. Pure. */

import { mayAskForTests } from '../languages/goal-words.ts';
import { isManifest, isTestPath, LANGUAGES, runsAsCode } from '../languages/languages.ts';
import type { Habit } from '../languages/plan-rules.ts';
import {
  isTestOf,
  languageWithoutRunner,
  runsTests,
  testRunOf,
  wordsOfPassing,
} from '../languages/test-runs.ts';
import { isQuestion } from '../probe/goal-kind.ts';
import { isCommand, isLook, isWholeWrite } from '../schema/doing.ts';
import { subtasksOf } from '../schema/plan.ts';
import {
  withoutLooksAtNothing,
  withoutProofOfNothing,
  withoutRunOfData,
  withoutWorkOnGivenTests,
  withoutWorkOnInputs,
  withProgramOfProof,
  withWorkForLooks,
} from './made-and-given.ts';
import { isModule } from './modules.ts';
import type { PlanContext } from './plan-context.ts';
import { type ProposedPlan, type ProposedSubtask, subtaskWith } from './plan-schema.ts';
import {
  isRunOf,
  normalPath,
  plannedWork,
  runCommand,
  testOf,
  writtenFiles,
} from './planned-work.ts';
import { withLooksAsChecks } from './proof-looks.ts';
import { believedInput, believedPrints } from './proof-prints.ts';
import { withoutUnaskedTests } from './unasked-tests.ts';

type Change = (proposed: ProposedPlan, context: PlanContext) => ProposedPlan;

/** In this order: what a later one sees is what the earlier ones left. */
const CHANGES: readonly Change[] = [
  withHabits,
  withWorkForLooks,
  withoutLooksAtNothing,
  withoutNeedlessProof,
  withLooksAsChecks,
  withoutRunOfData,
  withLastCommandAsProof,
  withoutUnaskedTests,
  withTestsAsTests,
  withTestsRun,
  withProgramRun,
  withRunner,
  withRunnerOfTests,
  withoutMissingPrograms,
  withoutTestsOfNothing,
  withCallerOfModule,
  withBelievedWords,
  withProgramOfProof,
  withoutProofOfNothing,
  withoutWorkOnInputs,
  withoutWorkOnGivenTests,
];

export const tidyProof: Change = (proposed, context) =>
  CHANGES.reduce((plan, change) => change(plan, context), proposed);

/** Files and commands are called what their language calls them. */
function withHabits(given: ProposedPlan, context: PlanContext): ProposedPlan {
  let proposed = given;
  for (const { plan } of LANGUAGES) {
    const habit = plan?.habit?.(plannedWork(proposed, context));
    if (habit) proposed = inTheWordsOf(habit, proposed);
  }
  return proposed;
}

function inTheWordsOf({ renamed, command }: Habit, { tasks, verify }: ProposedPlan): ProposedPlan {
  const usual = (subtask: ProposedSubtask): ProposedSubtask => {
    const { target } = subtask;
    if (isCommand(subtask)) return { ...subtask, target: command(target) };
    return { ...subtask, target: renamed.get(normalPath(target)) ?? target };
  };
  return {
    tasks: tasks.map((task) => ({ ...task, subtasks: task.subtasks.map(usual) })),
    ...(verify ? { verify: { ...verify, cmd: command(verify.cmd) } } : {}),
  };
}

/** True for a question whose plan makes nothing. */
const wantsAnswer = (proposed: ProposedPlan, goal: string): boolean =>
  isQuestion(goal) && subtasksOf(proposed).every(isLookOrRun);

/** And runs only tests and what is there: that something is not there is no answer. */
export const wantsAnswerAlone = (
  proposed: ProposedPlan,
  { goal, files }: Pick<PlanContext, 'goal' | 'files'>,
): boolean =>
  wantsAnswer(proposed, goal) &&
  subtasksOf(proposed).every((one) => !isCommand(one) || isRun(one.target, files));

const isLookOrRun = (one: ProposedSubtask): boolean => isLook(one) || isCommand(one);

/**
 * A question is answered by what is seen, and has no proof: small models name `ls` as the proof that
 * a folder was looked at. What runs tests, or a program that is there, is what is to be seen.
 */
function withoutNeedlessProof(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { tasks, verify } = proposed;
  const steps = subtasksOf(proposed);
  if (!verify || !wantsAnswer(proposed, context.goal)) return proposed;
  const cmd = verify.cmd.trim();
  const runner = context.tools.find(isCommand);
  const isWanted = !steps.some(({ target }) => target.trim() === cmd) && isRun(cmd, context.files);
  if (!runner || !isWanted) return { tasks };
  const step = subtaskWith(runner, cmd, 'see it');
  return { tasks: [...tasks, { description: 'Run', subtasks: [step] }] };
}

const isRun = (cmd: string, files: readonly string[]): boolean =>
  runsTests(cmd) || cmd.split(/\s+/).some((word) => files.includes(normalPath(word)));

/** A plan that ends with running what it wrote, and names no proof, has named it. */
function withLastCommandAsProof(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const last = subtasksOf(proposed).at(-1);
  if (hasProof(proposed) || last === undefined || !isCommand(last)) return proposed;
  const files = writtenFiles(proposed).map(normalPath);
  const isProof = files.length > 0 && isRun(last.target, files);
  return isProof && context.commandFault(last.target) === null
    ? { ...proposed, verify: { cmd: last.target, ...last.extras } }
    : proposed;
}

const hasProof = ({ verify }: ProposedPlan): boolean => (verify?.cmd.trim() ?? '') !== '';

/** A test file is given to its runner: run as a program it defines its tests and ends. */
function withTestsAsTests(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { installed } = context;
  const tests = writtenFiles(proposed).map(normalPath).filter(isTestPath);
  const cmd = proposed.verify?.cmd.trim() ?? '';
  if (!tests.some((test) => isRunOf(cmd, test, installed))) return proposed;
  const verify = testRunOf(tests, installed);
  return verify === null ? proposed : { ...proposed, verify };
}

/** Where tests are written and no proof is named, running them is the proof. */
function withTestsRun(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  if (hasProof(proposed)) return proposed;
  const verify = testRunOf(writtenFiles(proposed).map(normalPath), context.installed);
  return verify === null ? proposed : { ...proposed, verify };
}

/** Of a plan whose proof only looked at what its program makes. */
function withProgramRun(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  return proposed.checks === undefined ? proposed : withSomeProof(proposed, context);
}

/** A program that runs and prints something shows more than nothing does. */
export function withSomeProof(given: ProposedPlan, context: PlanContext): ProposedPlan {
  const proposed = withTestsRun(given, context);
  if (hasProof(proposed)) return proposed;
  const [cmd] = writtenFiles(proposed)
    .map(normalPath)
    .filter((file) => !isTestPath(file) && !isModule(file, proposed, context))
    .flatMap((file) => runCommand(file, context.installed) ?? []);
  return cmd === undefined ? proposed : { ...proposed, verify: { cmd } };
}

/**
 * A test runner that is not here cannot show anything: where the plan writes the tests itself, and
 * none are there that may need just that one, they are run with what is here.
 */
function withRunner(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { goal, installed, files } = context;
  const language = languageWithoutRunner(proposed.verify?.cmd ?? '', goal, installed);
  if (language === undefined || files.some((file) => isTestOf(language, file))) return proposed;
  const written = writtenFiles(proposed).map(normalPath);
  const verify = testRunOf(
    written.filter((file) => isTestOf(language, file)),
    installed,
  );
  return verify === null ? proposed : { ...proposed, verify };
}

/** A runner of one language finds no tests where all that are there, or planned, are of another one. */
function withRunnerOfTests(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { installed, files } = context;
  const cmd = proposed.verify?.cmd ?? '';
  const language = LANGUAGES.find(({ runs }) => runs?.runsTests(cmd));
  const known = [...writtenFiles(proposed).map(normalPath), ...files];
  if (language === undefined) return proposed;
  const isOfIt = (file: string): boolean =>
    isTestOf(language, file) ||
    language.isManifest?.(file) === true ||
    cmd.split(/\s+/).includes(file);
  if (known.some(isOfIt)) return proposed;
  const verify = testRunOf(known, installed);
  return verify === null ? proposed : { ...proposed, verify };
}

/** A program that is not installed is neither a step nor a proof; what runs here stands in for it. */
function withoutMissingPrograms(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { verify } = proposed;
  // What is refused is told as such, wherever it may be.
  const lacking = (cmd: string): readonly string[] =>
    context.commandFault(cmd) === null ? (context.missingProgram(cmd) ?? []) : [];
  const commands = subtasksOf(proposed).filter(isCommand);
  const missing = [...commands.map(({ target }) => target), verify?.cmd ?? ''].flatMap(lacking);
  if (missing.length === 0) return proposed;
  const isLeft = (one: ProposedSubtask): boolean =>
    !isCommand(one) || lacking(one.target).length === 0;
  const tasks = proposed.tasks.map((task) => ({
    ...task,
    subtasks: task.subtasks.filter(isLeft),
  }));
  const left = { ...proposed, tasks, missing: [...new Set(missing)] };
  if (verify === undefined || lacking(verify.cmd).length === 0) return left;
  return withTestsRun({ ...left, verify: undefined }, context);
}

/**
 * A run of tests where nobody has written any, nobody is to, and no code is made that could get some
 * fails for ever, whatever the work is like. What a manifest calls a test may be anything.
 */
function withoutTestsOfNothing(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { goal, files } = context;
  if (!runsTests(proposed.verify?.cmd ?? '') || mayAskForTests(goal)) return proposed;
  const work = plannedWork(proposed, context);
  if (work.hasTests || work.changes.some(runsAsCode) || files.some(isManifest)) return proposed;
  return { ...proposed, verify: undefined };
}

/**
 * A file that only defines proves nothing when it is run: its tests do, or the program that is
 * planned beside it, and where there is neither, tests are planned.
 */
function withCallerOfModule(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { installed, files } = context;
  const { verify } = proposed;
  const written = writtenFiles(proposed).map(normalPath);
  const module = [...written, ...files].find((file) => isRunOf(verify?.cmd ?? '', file, installed));
  const isSeen = Boolean(verify?.stdin) || believedPrints(verify?.prints ?? '', context.goal, []);
  if (module === undefined || isSeen || !isModule(module, proposed, context)) return proposed;
  const tests = [...written, ...files].filter(isTestPath);
  const program = written.find(
    (file) => runCommand(file, installed) !== null && !isModule(file, proposed, context),
  );
  const run = program === undefined ? null : runCommand(program, installed);
  const known = testRunOf(tests, installed) ?? (run === null ? null : { cmd: run });
  if (known !== null) return { ...proposed, verify: known };
  return withTestsOf(module, proposed, context);
}

function withTestsOf(
  module: string,
  proposed: ProposedPlan,
  { installed, tools }: PlanContext,
): ProposedPlan {
  const test = testOf(module);
  const verify = test === null ? null : testRunOf([test], installed);
  const writer = tools.find(isWholeWrite);
  if (test === null || verify === null || !writer) return proposed;
  const write = subtaskWith(writer, test, `tests of ${module}`);
  const tasks = [...proposed.tasks, { description: 'Tests', subtasks: [write] }];
  return { ...proposed, tasks, verify };
}

/** What it is to print and what is typed in were guessed: only what the goal says is believed. */
function withBelievedWords(proposed: ProposedPlan, { goal, examples }: PlanContext): ProposedPlan {
  const { verify } = proposed;
  if (verify === undefined) return proposed;
  const prints = believedPrints(verify.prints ?? '', goal, wordsOfPassing(verify.cmd));
  const stdin = believedInput(verify.stdin ?? '', goal, examples.stdin);
  return {
    ...proposed,
    verify: { cmd: verify.cmd, ...(prints ? { prints } : {}), ...(stdin ? { stdin } : {}) },
  };
}
