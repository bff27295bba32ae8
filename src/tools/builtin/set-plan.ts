/** The plan of a free driver's model. The tool itself changes nothing: the engine reads the plan and acts on it. */
import { testsOfFolder } from '../../languages/testing/test-runs.ts';
import { isRecord, jsonIn } from '../../lib/json-value.ts';
import { shortened } from '../../lib/text/shortened.ts';
import { ParallelPlanArgs, PlanArgs } from '../../schema/model/proposed-plan.ts';
import { judgePath } from '../../workspace/path-rules.ts';
import { splitNames } from '../calls/aliases.ts';
import { type ArgsSchema, type CallArgs, zodSchema } from '../calls/args-schema.ts';
import { workingFolder } from '../commands/read-command.ts';
import type { Tool } from '../contract.ts';
import { ok, ready } from '../result.ts';
import { NAMES_OF_CWD } from './run-cmd.ts';

/**
 * A proof starts in the workspace folder. In another folder it would be another command, so an argument that
 * names a folder is refused. Other arguments that a proof does not know are dropped.
 */
const withoutFolder = <Parsed>(schema: ArgsSchema<Parsed>): ArgsSchema<Parsed> => ({
  get jsonSchema() {
    return schema.jsonSchema;
  },
  parse: (args) => {
    const fault = folderFault(args.proof);
    return fault === null ? schema.parse(args) : { ok: false, faults: [fault] };
  },
});

function folderFault(proof: unknown): string | null {
  if (!isRecord(proof)) return null;
  for (const name of NAMES_OF_CWD) {
    const given = proof[name];
    if (typeof given !== 'string' || given.trim() === '' || isWorkspace(given)) continue;
    const folder = workingFolder(given) ?? shortened(given, LONGEST_FOLDER);
    const example = testsOfFolder(String(proof.cmd ?? ''), folder);
    const how = example === null ? '' : ` (as in ${example})`;
    return `proof: it has no ${name} and starts in the workspace folder. Leave ${name} out, and name ${folder} in its cmd${how}`;
  }
  return null;
}

const LONGEST_FOLDER = 100;

function isWorkspace(path: string): boolean {
  const verdict = judgePath(path);
  return verdict.kind === 'ok' && verdict.segments.length === 0;
}

/** @param isParallel whether subtasks may become runs of their own */
export const setPlanTool = (isParallel: boolean): Tool<PlanArgs> => (isParallel ? PARALLEL : ALONE);

const ALONE: Tool<PlanArgs> = {
  name: 'set_plan',
  description:
    'Set the plan, or another one for what is left: up to 8 tasks and 30 subtasks. A subtask may span many files and calls.',
  args: withoutFolder(zodSchema(PlanArgs)),
  touches: 'nothing',
  afterCrash: 'repeat',
  needs: { calls: true },
  does: 'sets_plan',
  aliases: {
    names: splitNames('plan makeplan createplan updateplan todowrite replan'),
    args: {
      tasks: ['plan', 'steps', 'todos'],
      proof: ['verify', 'verification', 'check'],
      why: ['reason', 'explanation'],
    },
  },
  correctArgs: asPlanned,
  prepare: async () => ready(async () => ok('The plan is set.')),
};

const PARALLEL: Tool<PlanArgs> = {
  ...ALONE,
  args: withoutFolder(zodSchema(ParallelPlanArgs)),
  isVariant: true,
};

/** Far more than any plan has; a longer list is refused unparsed. */
const MAX = 100;

/** Accepts sentences in place of subtasks, tasks without subtasks, and a command line as proof. */
function asPlanned(args: CallArgs): CallArgs {
  const tasks = parsed(args.tasks);
  const proof = parsed(args.proof);
  const { brief: said, ...rest } = args;
  const brief = asBrief(parsed(said));
  return {
    ...rest,
    ...(brief === null ? {} : { brief }),
    ...(Array.isArray(tasks) && tasks.length <= MAX ? { tasks: asTasks(tasks) } : {}),
    ...(isRecord(proof) ? { proof: withoutEmpty(proof) } : {}),
    ...(typeof proof === 'string' && proof.trim() !== '' ? { proof: { cmd: proof } } : {}),
  };
}

/**
 * Accepts a list of statements, or lists by kind of statement. Entries without a quote are dropped, because the
 * plan does not depend on them.
 */
function asBrief(said: unknown): PlanArgs['brief'] | null {
  if (Array.isArray(said)) return said.flatMap(asStatement);
  if (!isRecord(said)) return null;
  const { examples, keep, removes, tests } = said;
  const files = (list: unknown, as: 'keep' | 'removes') =>
    listOf(list)
      .flatMap(asStatement)
      .map(({ path, ...entry }) => ({ ...entry, [as]: path }));
  return [
    ...listOf(examples).flatMap(asStatement),
    ...files(keep, 'keep'),
    ...files(removes, 'removes'),
    ...asStatement({ quote: tests, tests: true }),
  ];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const asStatement = (entry: unknown): NonNullable<PlanArgs['brief']> =>
  isRecord(entry) && typeof entry.quote === 'string' && entry.quote !== ''
    ? [{ ...entry, quote: entry.quote }]
    : [];

function asTasks(tasks: readonly unknown[]): readonly unknown[] {
  const isFlat = tasks.every(
    (task) => typeof task === 'string' || (isRecord(task) && 'do' in task),
  );
  return isFlat && tasks.length > 0
    ? [{ description: 'the work', subtasks: tasks.map(asSubtask) }]
    : tasks.map(asTask);
}

function asTask(task: unknown): unknown {
  if (isRecord(task) && typeof task.description === 'string' && task.subtasks === undefined)
    return { ...task, subtasks: [{ do: task.description }] };
  if (!isRecord(task) || !Array.isArray(task.subtasks) || task.subtasks.length > MAX) return task;
  return { ...task, subtasks: task.subtasks.map(asSubtask) };
}

const asSubtask = (subtask: unknown): unknown =>
  typeof subtask === 'string'
    ? { do: subtask }
    : isRecord(subtask) && typeof subtask.files === 'string'
      ? { ...subtask, files: [subtask.files] }
      : subtask;

/** Values that a model leaves empty count as left out. */
const withoutEmpty = (value: CallArgs): CallArgs =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== '' && one !== null));

/** Some models send nested values as text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return jsonIn(value) ?? value;
}
