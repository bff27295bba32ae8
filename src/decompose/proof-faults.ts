/** Explains why a plan's proof shows nothing, as one sentence for the model. Pure. */

import { isDataPath, isTestPath, languageOf, runsAsCode } from '../languages/languages.ts';
import { namesItsTests, testRunOf } from '../languages/testing/test-runs.ts';
import { isCommand, isReadOrListing, isWrite } from '../schema/capability.ts';
import { subtasksOf } from '../schema/plan.ts';
import { MAX_FILES, type PlanContext } from './plan-context.ts';
import type { ProposedPlan, ProposedSubtask } from './plan-schema.ts';
import { normalPath, plannedWrites } from './planned-work.ts';

/** `null` also if the plan needs no proof, or a person gave it. */
export function proofFault(proposed: ProposedPlan, context: PlanContext): string | null {
  if (context.givenProof !== undefined) return null;
  const cmd = proposed.verify?.cmd.trim() ?? '';
  if (cmd === '') return noProof(proposed, context);
  for (const faultOf of FAULTS) {
    const fault = faultOf(proposed, context);
    if (fault !== null) return `verify.cmd: ${fault}`;
  }
  return null;
}

/** Checked in order: what is forbidden, then what is impossible. Other faults show when the proof runs. */
const FAULTS: readonly ((proposed: ProposedPlan, context: PlanContext) => string | null)[] = [
  ({ verify }, { commandFault }) => commandFault(verify?.cmd.trim() ?? ''),
  notAsked,
  notHere,
  noTests,
];

/** A proof is missing if the plan writes tests, or a program that can run here. */
function noProof(proposed: ProposedPlan, { installed }: PlanContext): string | null {
  const written = plannedWrites(proposed).map(normalPath);
  const tests = testRunOf(written, installed);
  if (tests !== null) return `verify.cmd: it is empty. Use ${tests.cmd}.`;
  const program = written.find(
    (file) => languageOf(file).runs?.canRun(installed) && !isDataPath(file),
  );
  return program === undefined
    ? null
    : `verify.cmd is empty: name the command that runs ${program}.`;
}

const isReadOrRun = (one: ProposedSubtask): boolean => isReadOrListing(one) || isCommand(one);

function notAsked(proposed: ProposedPlan, { brief, saidSentence }: PlanContext): string | null {
  const isQuestion = brief?.kind === 'question' || saidSentence === true;
  return isQuestion && subtasksOf(proposed).every(isReadOrRun)
    ? 'the goal only asks for an answer, so it must be empty. What is to be run is a subtask.'
    : null;
}

/**
 * The fault of a proof that runs tests where the plan makes only texts or data: no test exists, so the proof
 * would always fail.
 */
function noTests(proposed: ProposedPlan, { files }: PlanContext): string | null {
  const subtasks = subtasksOf(proposed);
  const written = subtasks.filter(isWrite).map(({ target }) => normalPath(target));
  return namesItsTests(proposed.verify?.cmd ?? '') &&
    !subtasks.some(isCommand) &&
    files.length < MAX_FILES &&
    ![...written, ...files].some(isTestPath) &&
    !written.some(runsAsCode)
    ? 'there are no tests here, and no subtask writes any. It must be a command that shows the work, or empty.'
    : null;
}

/** The proof needs a missing program. */
function notHere(proposed: ProposedPlan, context: PlanContext): string | null {
  const missing = context.missingProgram(proposed.verify?.cmd ?? '') ?? [];
  return missing.length === 0
    ? null
    : `${missing.join(' and ')} is not installed here.${instead(proposed, context)}`;
}

/** Suggests a runner for existing or planned tests that is installed here. */
function instead(proposed: ProposedPlan, { installed, files }: PlanContext): string {
  const known = [...plannedWrites(proposed).map(normalPath), ...files];
  const run = testRunOf(known, installed);
  return run === null || run.cmd === proposed.verify?.cmd.trim() ? '' : ` Use ${run.cmd}.`;
}
