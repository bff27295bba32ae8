/** A model's answer to the plan question, read and checked. */

import { posix } from 'node:path';
import { runsTests } from '../languages/testing/test-runs.ts';
import { isCommand, isListing, isReadOrListing, isWrite } from '../schema/capability.ts';
import {
  type Plan,
  type Proof,
  type Subtask,
  type SubtaskStep,
  subtasksOf,
} from '../schema/plan.ts';
import type { PlanContext } from './plan-context.ts';
import { doubtAbout, unusable } from './plan-faults.ts';
import {
  type PlannableTool,
  type ProposedPlan,
  type ProposedSubtask,
  readProposal,
} from './plan-schema.ts';
import { normalPath } from './planned-work.ts';
import { proofFault } from './proof-faults.ts';

export type ParsedPlan =
  | {
      readonly kind: 'plan';
      readonly plan: Plan;
      /** What is wrong with it and was said in vain, or ''. */
      readonly doubt: string;
    }
  /** One sentence for the model. */
  | { readonly kind: 'fault'; readonly fault: string };

export function parsePlan(answer: string, context: PlanContext): ParsedPlan {
  const json = readJson(answer);
  if (json === undefined) return fault('Answer with one JSON object and nothing else.');
  const read = readProposal(json, context.tools);
  if (!read.ok) return fault(read.fault);
  const proposed = read.plan;
  const wrong = unusable(proposed, context);
  if (wrong !== null) return fault(wrong);
  const doubt = doubtAbout(proposed, context) ?? '';
  if (doubt !== '' && !context.isLastTry) return fault(doubt);
  const left = runOnce(withoutFaultyParts(proposed, context));
  return { kind: 'plan', plan: toPlan(left, context), doubt };
}

/** The proof is run at the end anyway: what it does to the folder is not done twice. */
const runOnce = (proposed: ProposedPlan): ProposedPlan =>
  withSubtasks(
    proposed,
    (one) => !isCommand(one) || one.target.trim() !== proposed.verify?.cmd.trim(),
  );

/** All of them where none would be left. */
function withSubtasks(
  { tasks, verify }: ProposedPlan,
  isWanted: (subtask: ProposedSubtask) => boolean,
): ProposedPlan {
  const left = tasks
    .map((task) => ({ ...task, subtasks: task.subtasks.filter(isWanted) }))
    .filter((task) => task.subtasks.length > 0);
  return { tasks: left.length > 0 ? left : tasks, verify };
}

/** A plan that is taken with a fault: without the proof that shows nothing, and without steps whose program is not here. */
function withoutFaultyParts(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const verify = proofFault(proposed, context) === null ? proposed.verify : undefined;
  const isVain = (one: ProposedSubtask): boolean =>
    isCommand(one) && (context.missingProgram(one.target) ?? []).length > 0;
  return withSubtasks({ ...proposed, verify }, (one) => !isVain(one));
}

/** Every command that an answer plans, its proof included; none where it is no plan. */
export function plannedCommands(
  answer: string,
  tools: readonly PlannableTool[],
): readonly string[] {
  const read = readProposal(readJson(answer), tools);
  if (!read.ok) return [];
  const commands = subtasksOf(read.plan).filter(isCommand);
  return [...commands.map(({ target }) => target), read.plan.verify?.cmd ?? ''];
}

/** The goal as the only subtask: what is left when a model gives no usable plan. */
export const fallbackPlan = (goal: string, firstTask: number): Plan => ({
  tasks: [
    {
      id: String(firstTask),
      description: goal,
      subtasks: [
        {
          id: `${firstTask}.1`,
          purpose: goal,
          checks: [],
          status: 'pending',
        },
      ],
    },
  ],
  fallback: true,
});

const fault = (text: string): ParsedPlan => ({ kind: 'fault', fault: text });

/** An object, or the list of its tasks alone. */
function readJson(answer: string): unknown {
  const tasks = /^[^{]*\[/.test(answer) ? between(answer, '[', ']') : undefined;
  return tasks === undefined ? between(answer, '{', '}') : { tasks };
}

function between(answer: string, first: string, last: string): unknown {
  try {
    return JSON.parse(answer.slice(answer.indexOf(first), answer.lastIndexOf(last) + 1));
  } catch {
    return undefined;
  }
}

/** A plan as it is journalled, of one that was found usable. */
export function toPlan(proposed: ProposedPlan, context: PlanContext): Plan {
  const proof = proofOf(proposed);
  const tasks = proposed.tasks.map((task, index) => {
    const id = String(context.firstTask + index);
    return {
      id,
      description: task.description,
      subtasks: task.subtasks.map((subtask, at) => toSubtask(subtask, `${id}.${at + 1}`, context)),
    };
  });
  const isAnswer = !proof && isAnswerAlone(proposed, context);
  return {
    tasks,
    ...(isAnswer ? { answer_only: true } : {}),
    fallback: false,
    ...(proof ? { proof } : {}),
  };
}

/** It makes nothing, and runs only tests and what is there: what that shows is the answer. */
const isAnswerAlone = (proposed: ProposedPlan, { brief, files }: PlanContext): boolean =>
  brief?.kind !== 'work' &&
  subtasksOf(proposed).every(
    (one) => isReadOrListing(one) || (isCommand(one) && isRun(one.target, files)),
  );

const isRun = (cmd: string, files: readonly string[]): boolean =>
  runsTests(cmd) || cmd.split(/\s+/).some((word) => files.includes(normalPath(word)));

function toSubtask(proposed: ProposedSubtask, id: string, context: PlanContext): Subtask {
  const step = toStep(proposed, context);
  const { purpose, independent } = proposed;
  const apart = independent ? { independent } : {};
  return { id, step, purpose, ...apart, checks: checksOf(step), status: 'pending' };
}

function toStep(proposed: ProposedSubtask, { files, tools }: PlanContext): SubtaskStep {
  const { action, does, extras } = proposed;
  const tool = tools.find(({ name }) => name === action);
  const target = targetOf(proposed, tool, files);
  const step = { action, ...(does ? { does } : {}), target };
  // What a file is to hold is asked for when its turn comes.
  if (isWrite(step) || !tool) return step;
  return { ...step, args: { [tool.argument]: target, ...extras } };
}

function targetOf(
  proposed: ProposedSubtask,
  tool: PlannableTool | undefined,
  files: readonly string[],
): string {
  if (tool?.key !== 'file') return proposed.target;
  const path = normalPath(proposed.target);
  return isListing(proposed) ? folderOf(path, files) : path;
}

/** Who wants to list a file means the folder it is in. */
const folderOf = (path: string, files: readonly string[]): string =>
  files.includes(path) ? posix.dirname(path) : path;

const checksOf = (step: SubtaskStep): Subtask['checks'] =>
  isWrite(step) ? [{ type: 'file_exists', path: step.target }] : [];

function proofOf(proposed: ProposedPlan): Proof | undefined {
  const verify = proposed.verify;
  if (!verify || verify.cmd.trim() === '') return undefined;
  return {
    cmd: verify.cmd.trim(),
    ...(verify.stdin ? { stdin: verify.stdin } : {}),
  };
}
