/** Reads and checks a model's answer to the plan question. */

import { runsTests } from '../languages/testing/test-runs.ts';
import { jsonIn } from '../lib/json-value.ts';
import { isCommand, isReadOrListing, isWrite } from '../schema/capability.ts';
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
      /** A fault that remained after the model was told of it; empty: none. */
      readonly doubt: string;
    }
  /** One sentence for the model. */
  | { readonly kind: 'fault'; readonly fault: string };

export function parsePlan(answer: string, context: PlanContext): ParsedPlan {
  const json = readJson(answer);
  if (json === undefined) return fault('Answer with one JSON object and nothing else.');
  const read = readProposal(json, context.tools);
  if (!read.ok) return fault(read.fault);
  const proposed = asGiven(read.plan, context);
  const wrong = unusable(proposed, context);
  if (wrong !== null) return fault(wrong);
  const doubt = doubtAbout(proposed, context) ?? '';
  if (doubt !== '' && !context.isLastTry) return fault(doubt);
  const left = runOnce(withoutFaultyParts(proposed, context));
  return { kind: 'plan', plan: toPlan(left, context), doubt };
}

/** A proof that a person gave replaces the plan's own. */
const asGiven = (proposed: ProposedPlan, { givenProof: cmd }: PlanContext): ProposedPlan =>
  cmd === undefined ? proposed : { ...proposed, verify: { cmd } };

/** Drops steps that run the proof: it runs at the end anyway, and its effects must not happen twice. */
const runOnce = (proposed: ProposedPlan): ProposedPlan =>
  withSubtasks(
    proposed,
    (one) => !isCommand(one) || one.target.trim() !== proposed.verify?.cmd.trim(),
  );

/** Keeps all subtasks if none would be left. */
function withSubtasks(
  { tasks, verify }: ProposedPlan,
  isWanted: (subtask: ProposedSubtask) => boolean,
): ProposedPlan {
  const left = tasks
    .map((task) => ({ ...task, subtasks: task.subtasks.filter(isWanted) }))
    .filter((task) => task.subtasks.length > 0);
  return { tasks: left.length > 0 ? left : tasks, verify };
}

/** The plan without its faulty parts: a proof that shows nothing, and steps whose program is missing here. */
function withoutFaultyParts(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const verify = proofFault(proposed, context) === null ? proposed.verify : undefined;
  const isVain = (one: ProposedSubtask): boolean =>
    isCommand(one) && (context.missingProgram(one.target) ?? []).length > 0;
  return withSubtasks({ ...proposed, verify }, (one) => !isVain(one));
}

/** Every command in an answer, including the proof; none if it is not a plan. */
export function plannedCommands(
  answer: string,
  tools: readonly PlannableTool[],
): readonly string[] {
  const read = readProposal(readJson(answer), tools);
  if (!read.ok) return [];
  const commands = subtasksOf(read.plan).filter(isCommand);
  return [...commands.map(({ target }) => target), read.plan.verify?.cmd ?? ''];
}

/** The goal as the only subtask, used when a model gives no usable plan. */
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

/** Words around the object do not count. */
const readJson = (answer: string): unknown =>
  jsonIn(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));

/** Turns a usable proposal into the plan that is journalled. */
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

/** True if the plan creates nothing and runs only tests and existing programs: their output is the answer. */
const isAnswerAlone = (
  proposed: ProposedPlan,
  { brief, files, saidSentence }: PlanContext,
): boolean =>
  (brief?.kind !== 'work' || saidSentence === true) &&
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

function toStep(proposed: ProposedSubtask, { tools }: PlanContext): SubtaskStep {
  const { action, does, extras } = proposed;
  const tool = tools.find(({ name }) => name === action);
  const target = tool?.key === 'file' ? normalPath(proposed.target) : proposed.target;
  const step = { action, ...(does ? { does } : {}), target };
  // The content of a file is asked for when its step begins.
  if (isWrite(step) || !tool) return step;
  return { ...step, args: { [tool.argument]: target, ...extras } };
}

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
