/** The plan of a model that leads. It changes nothing itself: the engine reads it and acts on it. */
import { BriefArgs, PlanArgs } from '../schema/proposed-plan.ts';
import { namesOf } from './aliases.ts';
import { isObject, type Args as ToolArgs, zodSchema } from './args-schema.ts';
import type { Tool } from './contract.ts';
import { ok } from './result.ts';

export const setPlan: Tool<PlanArgs> = {
  name: 'set_plan',
  description:
    'Set the plan, or another one for what is left: 1 to 8 tasks with 1 to 30 subtasks in all. A subtask may span many files and calls.',
  args: zodSchema(PlanArgs),
  touches: 'nothing',
  settles: 'again',
  needs: { calls: true },
  does: 'sets_plan',
  aliases: {
    names: namesOf('plan makeplan createplan updateplan todowrite replan'),
    args: {
      tasks: ['plan', 'steps', 'todos'],
      proof: ['verify', 'verification', 'check'],
      why: ['reason', 'explanation'],
    },
  },
  asMeant: asPlanned,
  prepare: async () => ({
    kind: 'ready',
    files: [],
    perform: async () => ok('The plan is set.'),
  }),
};

/** Far more than a plan has: what is longer is refused as it is. */
const MOST = 100;

/** A list of sentences, a task without a list of its own, a proof that is a command line. */
function asPlanned(args: ToolArgs): ToolArgs {
  const tasks = parsed(args.tasks);
  const proof = parsed(args.proof);
  const { brief: said, ...rest } = args;
  const brief = asBrief(parsed(said));
  return {
    ...rest,
    ...(brief === null ? {} : { brief }),
    ...(Array.isArray(tasks) && tasks.length <= MOST ? { tasks: asTasks(tasks) } : {}),
    ...(isObject(proof) ? { proof: withoutEmpty(proof) } : {}),
    ...(typeof proof === 'string' && proof.trim() !== '' ? { proof: { cmd: proof } } : {}),
  };
}

/** What of it has no form of a brief is left out: a plan does not hang on it. */
function asBrief(said: unknown): BriefArgs | null {
  if (!isObject(said)) return null;
  const fields = Object.entries(BriefArgs.shape).flatMap(([name, form]) => {
    const value = said[name];
    const each = Array.isArray(value)
      ? value.map(withTextGiven).filter((one) => form.safeParse([one]).success)
      : value;
    const read = form.safeParse(each);
    return read.success && read.data !== undefined ? [[name, read.data] as const] : [];
  });
  return Object.fromEntries(fields);
}

/** A number is said as the goal has it. */
const withTextGiven = (entry: unknown): unknown =>
  isObject(entry) && entry.gives !== undefined && typeof entry.gives !== 'string'
    ? { ...entry, gives: JSON.stringify(entry.gives) }
    : entry;

function asTasks(tasks: readonly unknown[]): readonly unknown[] {
  const isFlat = tasks.every(
    (task) => typeof task === 'string' || (isObject(task) && 'do' in task),
  );
  return isFlat && tasks.length > 0
    ? [{ description: 'the work', subtasks: tasks.map(asSubtask) }]
    : tasks.map(asTask);
}

function asTask(task: unknown): unknown {
  if (isObject(task) && typeof task.description === 'string' && task.subtasks === undefined)
    return { ...task, subtasks: [{ do: task.description }] };
  if (!isObject(task) || !Array.isArray(task.subtasks) || task.subtasks.length > MOST) return task;
  return { ...task, subtasks: task.subtasks.map(asSubtask) };
}

const asSubtask = (subtask: unknown): unknown =>
  typeof subtask === 'string'
    ? { do: subtask }
    : isObject(subtask) && typeof subtask.files === 'string'
      ? { ...subtask, files: [subtask.files] }
      : subtask;

/** What a model leaves empty it leaves out. */
const withoutEmpty = (value: ToolArgs): ToolArgs =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== '' && one !== null));

/** Some models send what is nested as text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
