/** What a plan makes and what it is only given. Pure; puts right what no goal can mean. */

import { isInterpreter } from '../languages/allowed-commands.ts';
import { belongsToTests, isCodePath, isDataPath } from '../languages/languages.ts';
import {
  asksToChange,
  isQuestion,
  mayChangeTests,
  onlyGives,
  ordersChangeOf,
} from '../probe/goal-kind.ts';
import { isCommand, isEdit, isLook, isRead, isWholeWrite, isWrite } from '../schema/doing.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { PlanContext } from './plan-context.ts';
import { type ProposedPlan, type ProposedSubtask, subtaskWith } from './plan-schema.ts';
import { normalPath, runCommand, writtenFiles } from './planned-work.ts';

/**
 * A proof that runs a program which the goal names and which is not there, of a plan that makes no
 * program at all, cannot pass whatever is done: the plan forgot the step. A command may make files too, so with one nothing is
 * added, and neither is beside another program: then it is the name that may be wrong.
 */
export function withProgramOfProof(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { goal, exists, finishedFiles, tools } = context;
  const steps = subtasksOf(proposed);
  const writer = tools.find(isWholeWrite);
  const [, ...words] = (proposed.verify?.cmd ?? '').trim().split(/\s+/).map(normalPath);
  const program = words.find((word) => !word.startsWith('-') && isProgram(word, context));
  if (program === undefined || !writer || exists(program) || !goal.includes(program))
    return proposed;
  const mayMake = (one: ProposedSubtask): boolean =>
    isCommand(one) || (!isRead(one) && isProgram(one.target, context));
  if (finishedFiles.includes(program) || steps.some(mayMake)) return proposed;
  const write = subtaskWith(writer, program, purposeOf(goal));
  return { ...proposed, tasks: [...proposed.tasks, { description: program, subtasks: [write] }] };
}

/**
 * A proof that runs a program which is not there, which nothing of the plan makes and which the goal
 * does not name cannot pass whatever is done, and says nothing of the work.
 */
export function withoutProofOfNothing(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { goal, exists, finishedFiles } = context;
  const cmd = (proposed.verify?.cmd ?? '').trim();
  const [interpreter = '', ...words] = cmd.split(/\s+/).map(normalPath);
  // It waits for a person, or ends at once.
  if (words.length === 0 && isInterpreter(interpreter)) return { ...proposed, verify: undefined };
  const program = words.find((word) => !word.startsWith('-') && isProgram(word, context));
  if (program === undefined || exists(program) || goal.includes(program)) return proposed;
  const mayMake = (one: ProposedSubtask): boolean =>
    isCommand(one) || (!isRead(one) && isProgram(one.target, context));
  if (finishedFiles.includes(program) || subtasksOf(proposed).some(mayMake)) return proposed;
  return { ...proposed, verify: undefined };
}

/**
 * A look at what is not there, and what no step makes, finds nothing: small models plan what their program is
 * to do ("reads app.conf if it is there"). Who asks a question is told that there is no such file, and so is who
 * wants a text made of it: nobody is to make that up.
 */
export function withoutLooksAtNothing(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { goal, exists, finishedFiles } = context;
  const steps = subtasksOf(proposed);
  if (isQuestion(goal) || steps.some(isCommand)) return proposed;
  const written = writtenFiles(proposed).map(normalPath);
  if (!written.every(isCodePath)) return proposed;
  const made = new Set([...finishedFiles.map(normalPath), ...written]);
  const isThere = (path: string): boolean => exists(path) || made.has(path);
  const isLeft = (one: ProposedSubtask): boolean => !isRead(one) || isThere(normalPath(one.target));
  const tasks = proposed.tasks.map((task) => ({ ...task, subtasks: task.subtasks.filter(isLeft) }));
  return { ...proposed, tasks };
}

/** Data is not run: a proof that would says nothing of it, and a repair would make it a program. */
export function withoutRunOfData(proposed: ProposedPlan): ProposedPlan {
  const [program = '', ...words] = (proposed.verify?.cmd ?? '').trim().split(/\s+/);
  const [script = ''] = words.filter((word) => !word.startsWith('-'));
  const file = normalPath(script);
  const isNoProgram = /\.\w+$/.test(file) && (isDataPath(file) || !isCodePath(file));
  return isInterpreter(program) && script === words[0] && isNoProgram
    ? { ...proposed, verify: undefined }
    : proposed;
}

/**
 * A plan of looks alone reaches no goal that asks for a change. Small models say "read the file and
 * sort its lines": where the goal plainly orders a change of the very file, the look at it is meant
 * as that. Who only wants to know something keeps the file as it is.
 */
export function withWorkForLooks(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { goal, exists, tools } = context;
  const editor = tools.find(isEdit);
  if (!editor || !subtasksOf(proposed).every(isLook)) return proposed;
  const isMeant = (one: ProposedSubtask): boolean => {
    const file = normalPath(one.target);
    return isRead(one) && exists(file) && ordersChangeOf(goal, file);
  };
  const worked = (one: ProposedSubtask): ProposedSubtask =>
    isMeant(one) ? { ...one, ...subtaskWith(editor, one.target, purposeOf(goal)) } : one;
  const tasks = proposed.tasks.map((task) => ({ ...task, subtasks: task.subtasks.map(worked) }));
  return { ...proposed, tasks };
}

const purposeOf = (goal: string): string => goal.replace(/\s+/g, ' ').slice(0, 160);

const isProgram = (target: string, { installed }: PlanContext): boolean =>
  runCommand(normalPath(target), installed) !== null;

/**
 * Small models plan the work of the program that is wanted as steps of their own: "sort the list" on
 * the user's file. Where something new is to be made, data that is there and that the goal does not
 * ask to change is what it is made from: reading it is all that a plan may do with it.
 */
export function withoutWorkOnInputs(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { goal, exists, finishedFiles } = context;
  const isMade = (path: string): boolean => !exists(path) || finishedFiles.includes(path);
  const writes = subtasksOf(proposed).filter(isWrite);
  if (!writes.some(({ target }) => isMade(normalPath(target)))) return proposed;
  const isInput = (path: string): boolean =>
    !isMade(path) && (isDataPath(path) || !isCodePath(path)) && onlyGives(goal, path);
  const tasks = proposed.tasks
    .map((task) => ({
      ...task,
      subtasks: task.subtasks.filter((one) => !isWrite(one) || !isInput(normalPath(one.target))),
    }))
    .filter(({ subtasks }) => subtasks.length > 0);
  return { ...proposed, tasks };
}

/**
 * "The tests fail, fix it", "move it, the tests pass before and after": small models plan to work on the
 * tests. Those that were there say what is right, so unless the goal wants them changed the work is on
 * what they test. Where they fail and nothing else was planned, their run is all that is left: what it
 * shows is repaired in the code behind it.
 */
export function withoutWorkOnGivenTests(
  proposed: ProposedPlan,
  context: PlanContext,
): ProposedPlan {
  const { goal, exists, finishedFiles, testsFail, tools } = context;
  if (mayChangeTests(goal) || (!testsFail && RENAMES.test(goal))) return proposed;
  const isLeft = (one: ProposedSubtask): boolean => {
    const file = normalPath(one.target);
    const isGiven = exists(file) && !finishedFiles.includes(file) && belongsToTests(file);
    return !isWrite(one) || !isGiven || asksToChange(goal, file);
  };
  const tasks = proposed.tasks
    .map((task) => ({ ...task, subtasks: task.subtasks.filter(isLeft) }))
    .filter(({ subtasks }) => subtasks.length > 0);
  if (!testsFail) {
    const hasOtherWork = subtasksOf({ tasks }).some(isWrite);
    return hasOtherWork ? { ...proposed, tasks } : proposed;
  }
  if (tasks.length > 0) return { ...proposed, tasks };
  const runner = tools.find(isCommand);
  const { cmd } = proposed.verify ?? {};
  if (!runner || cmd === undefined) return proposed;
  const purpose = purposeOf(goal);
  const run = subtaskWith(runner, cmd, purpose);
  return { ...proposed, tasks: [{ description: purpose, subtasks: [run] }] };
}

/** What has another name now is called by it in its tests, too. */
const RENAMES = /\b(?:renam\w*|calls? it|new names?)\b/i;
