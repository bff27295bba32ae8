/** Why the proof that a plan names shows nothing, as one sentence for the model. Pure. */

import { isInterpreter } from '../languages/commands/allowed-commands.ts';
import {
  isCodePath,
  isDataPath,
  isManifest,
  isTestPath,
  LANGUAGES,
  languageOf,
  runsAsCode,
} from '../languages/languages.ts';
import {
  isTestOf,
  languageWithoutRunner,
  runsTests,
  testRunOf,
} from '../languages/testing/test-runs.ts';
import { isCommand, isLook, isRead } from '../schema/capability.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan, ProposedSubtask } from './plan-schema.ts';
import { isRunOf, normalPath, plannedWork, runCommand, writtenFiles } from './planned-work.ts';

type Fault = (proposed: ProposedPlan, context: PlanContext) => string | null;

/** `null` also where the plan needs none. */
export function proofFault(proposed: ProposedPlan, context: PlanContext): string | null {
  const cmd = proposed.verify?.cmd.trim() ?? '';
  if (cmd === '') return noProof(proposed, context);
  for (const faultOf of FAULTS) {
    const fault = faultOf(proposed, context);
    if (fault !== null) return `verify.cmd: ${fault}`;
  }
  return null;
}

/** What may not be run, then what cannot, then what says nothing when it is. */
const FAULTS: readonly Fault[] = [
  onlyLooks,
  ({ verify }, { commandFault }) => commandFault(verify?.cmd.trim() ?? ''),
  notAsked,
  notHere,
  otherRunner,
  notToBeRun,
  neverMade,
  testAsProgram,
  noTests,
];

/** A program that is written shows what it does, where it can be run here, and so do tests. */
function noProof(proposed: ProposedPlan, { installed }: PlanContext): string | null {
  const written = writtenFiles(proposed).map(normalPath);
  const tests = testRunOf(written, installed);
  if (tests !== null) return `verify.cmd: it is empty. Use ${tests.cmd}.`;
  const program = written.find(
    (file) => languageOf(file).runs?.canRun(installed) && !isDataPath(file),
  );
  return program === undefined
    ? null
    : `verify.cmd is empty: name the command that runs ${program}.`;
}

const isLookOrRun = (one: ProposedSubtask): boolean => isLook(one) || isCommand(one);

/** Programs that only show a file, for which tools stand in; a pipe behind one only chooses from what it shows. */
function onlyLooks({ verify }: ProposedPlan, { tools }: PlanContext): string | null {
  const [program = ''] = (verify?.cmd ?? '').trim().toLowerCase().split(/\s+/);
  const isShown = tools
    .filter(isLook)
    .some(({ replacesPrograms }) => replacesPrograms.includes(program));
  return isShown && !/[;&<>`$]/.test(verify?.cmd ?? '')
    ? 'it only looks at what is there, which shows nothing: leave it empty, or name a command that runs the work.'
    : null;
}

function notAsked(proposed: ProposedPlan, { brief }: PlanContext): string | null {
  return brief?.kind === 'question' && subtasksOf(proposed).every(isLookOrRun)
    ? 'the goal only asks for an answer, so it must be empty. What is to be run is a subtask.'
    : null;
}

/** A program, or the runner of tests that are only to be written. */
function notHere(proposed: ProposedPlan, context: PlanContext): string | null {
  const { installed, files, missingProgram } = context;
  const cmd = proposed.verify?.cmd ?? '';
  const language = languageWithoutRunner(cmd, installed);
  const isFree = language !== undefined && !files.some((file) => isTestOf(language, file));
  const missing = missingProgram(cmd) ?? [];
  if (missing.length === 0 && !isFree) return null;
  const what = missing.length > 0 ? missing.join(' and ') : 'what it runs tests with';
  return `${what} is not installed here.${instead(proposed, context)}`;
}

/** A runner of one language finds no tests where all that are there, or planned, are of another one. */
function otherRunner(proposed: ProposedPlan, context: PlanContext): string | null {
  const cmd = proposed.verify?.cmd ?? '';
  const language = LANGUAGES.find(({ runs }) => runs?.runsTests(cmd));
  if (language === undefined) return null;
  const known = [...writtenFiles(proposed).map(normalPath), ...context.files];
  const isOfIt = (file: string): boolean =>
    isTestOf(language, file) ||
    language.isManifest?.(file) === true ||
    cmd.split(/\s+/).includes(file);
  const isOther = !known.some(isOfIt) && testRunOf(known, context.installed) !== null;
  return isOther ? `it finds no tests here.${instead(proposed, context)}` : null;
}

/** Data is not run, and an interpreter alone waits for a person. */
function notToBeRun({ verify }: ProposedPlan): string | null {
  const [program = '', ...words] = (verify?.cmd ?? '').trim().split(/\s+/);
  if (!isInterpreter(program)) return null;
  if (words.length === 0) return 'it runs nothing.';
  const [script = ''] = words.filter((word) => !word.startsWith('-'));
  const file = normalPath(script);
  const isNoProgram = /\.\w+$/.test(file) && (isDataPath(file) || !isCodePath(file));
  return script === words[0] && isNoProgram ? `${file} is no program.` : null;
}

/** A program that is not there, and that no step makes. */
function neverMade(proposed: ProposedPlan, context: PlanContext): string | null {
  const { exists, finishedFiles, installed } = context;
  const [, ...words] = (proposed.verify?.cmd ?? '').trim().split(/\s+/).map(normalPath);
  const isProgram = (target: string): boolean => runCommand(normalPath(target), installed) !== null;
  const program = words.find((word) => !word.startsWith('-') && isProgram(word));
  if (program === undefined || exists(program) || finishedFiles.includes(program)) return null;
  const mayMake = (one: ProposedSubtask): boolean =>
    isCommand(one) || (!isRead(one) && isProgram(one.target));
  return subtasksOf(proposed).some(mayMake)
    ? null
    : `${program} is not there, and no subtask writes it.`;
}

/** A test file is given to its runner: run as a program it defines its tests and ends. */
function testAsProgram(proposed: ProposedPlan, { installed }: PlanContext): string | null {
  const tests = writtenFiles(proposed).map(normalPath).filter(isTestPath);
  const cmd = proposed.verify?.cmd.trim() ?? '';
  const test = tests.find((one) => isRunOf(cmd, one, installed));
  const run = test === undefined ? null : testRunOf(tests, installed);
  return run === null || run.cmd === cmd ? null : `${test} holds tests: run them with ${run.cmd}.`;
}

/** Where nobody has written any, nobody is to, and no code is made that could get some. */
function noTests(proposed: ProposedPlan, context: PlanContext): string | null {
  if (!runsTests(proposed.verify?.cmd ?? '')) return null;
  const work = plannedWork(proposed, context);
  const mayHave = work.hasTests || work.changes.some(runsAsCode) || context.files.some(isManifest);
  return mayHave ? null : 'there are no tests, and no subtask writes any.';
}

/** Tests that are there, or planned, can be run by what is here. */
function instead(proposed: ProposedPlan, { installed, files }: PlanContext): string {
  const known = [...writtenFiles(proposed).map(normalPath), ...files];
  const run = testRunOf(known, installed);
  return run === null || run.cmd === proposed.verify?.cmd.trim() ? '' : ` Use ${run.cmd}.`;
}
