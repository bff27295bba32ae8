/** The schema of a plan as a model answers it, built from the tools that a plan may name. */

import * as z from 'zod';
import { isRecord } from '../lib/json-value.ts';
import type { Capability } from '../schema/actions.ts';
import type { JsonSchema } from '../schema/model/turn.ts';
import type { Tool } from '../tools/contract.ts';

/** A tool as a plan names it. */
export interface PlannableTool {
  readonly name: string;
  readonly does?: Capability;
  /** The argument that holds the target. */
  readonly argument: string;
  /** The plan's key for that argument: people say `file` for a path. */
  readonly key: string;
  /** Further arguments that a plan may give. */
  readonly extras: readonly string[];
  /** Names of such tools elsewhere, reduced to lower-case letters and digits. */
  readonly aliases: readonly string[];
  /** Programs that do nothing but what the tool does. */
  readonly replacesPrograms: readonly string[];
}

/** Cached per list of tools: a run has one list and needs this at every step. */
const plannable = new WeakMap<readonly Tool[], readonly PlannableTool[]>();

/** The tools that are planned most often come first; tools that differ only by name come last. */
export function plannableOf(tools: readonly Tool[]): readonly PlannableTool[] {
  const known = plannable.get(tools) ?? sortedPlannable(tools);
  plannable.set(tools, known);
  return known;
}

function sortedPlannable(tools: readonly Tool[]): readonly PlannableTool[] {
  const place = ({ inPlan }: Tool): number => inPlan?.place ?? tools.length;
  return tools
    .toSorted((one, other) => place(one) - place(other))
    .flatMap(({ name, does, inPlan, ...tool }): PlannableTool[] => {
      if (!inPlan) return [];
      const { target: argument, args: extras = [] } = inPlan;
      const key = argument === 'path' ? 'file' : argument;
      const aliases = tool.aliases?.names ?? [];
      const replacesPrograms = Object.keys(tool.replacesPrograms ?? {});
      return [
        { name, ...(does ? { does } : {}), argument, key, extras, aliases, replacesPrograms },
      ];
    });
}

const name = z.string().trim().min(1).max(200);
const purpose = z.string().trim().min(1).max(400);

/** A subtask as a model proposed it, with its target under the same key for every tool. */
export interface ProposedSubtask {
  readonly action: string;
  readonly does?: Capability;
  readonly target: string;
  /** Further arguments of the call that the plan gives. */
  readonly extras?: { readonly [argument: string]: string };
  readonly purpose: string;
  /** True if it may become a run of its own. */
  readonly independent?: true;
}

/** A subtask that no model proposed. */
export const subtaskWith = (
  { name: action, does }: PlannableTool,
  target: string,
  purpose: string,
): ProposedSubtask => ({ action, ...(does ? { does } : {}), target, purpose });

export interface ProposedPlan {
  readonly tasks: readonly {
    readonly description: string;
    readonly subtasks: readonly ProposedSubtask[];
  }[];
  readonly verify?: Verify | undefined;
}

const Verify = z.object({
  cmd: z.string(),
  stdin: z.string().optional(),
});
export type Verify = z.infer<typeof Verify>;

const optional = z.string().optional();

const MAX_TASKS = 6;
const MAX_SUBTASKS = 8;

/** The permitted answer to the plan question. Keys are in the order in which Ollama emits them. */
function answerSchema(tools: readonly PlannableTool[]) {
  const [first, ...others] = tools.map((tool) => stepSchema(tool));
  if (!first) throw new Error('A plan needs a tool that it may name.');
  const subtasks = z
    .array(z.discriminatedUnion('action', [first, ...others]))
    .min(1)
    .max(MAX_SUBTASKS);
  const task = z.object({ description: name, subtasks });
  return z.object({ tasks: z.array(task).min(1).max(MAX_TASKS), verify: Verify.optional() });
}

const stepSchema = ({ name: tool, key, extras }: PlannableTool) =>
  z
    .object({
      action: z.literal(tool),
      [key]: name,
      purpose,
      independent: z.boolean().optional(),
    })
    .extend(Object.fromEntries(extras.map((extra) => [extra, optional])));

export type ReadPlan =
  | { readonly ok: true; readonly plan: ProposedPlan }
  /** One sentence for the model. */
  | { readonly ok: false; readonly fault: string };

/** @param json the model's answer, parsed */
export function readProposal(json: unknown, tools: readonly PlannableTool[]): ReadPlan {
  const long = tooLong(json);
  if (long !== null) return { ok: false, fault: long };
  const { data, error } = answerSchema(tools).safeParse(json);
  if (error) {
    const [issue] = error.issues;
    const fault = `${issue?.path.join('.') || 'plan'}: ${issue?.message ?? 'not a plan'}`;
    return { ok: false, fault };
  }
  const tasks = data.tasks.map((task) => ({
    ...task,
    subtasks: task.subtasks.map((subtask) => proposed(subtask, tools)),
  }));
  return { ok: true, plan: { tasks, ...(data.verify ? { verify: data.verify } : {}) } };
}

/** Checked before the parts are parsed, because a list of thousands has as many faults. */
function tooLong(json: unknown): string | null {
  const tasks = listIn(json, 'tasks');
  const lists: readonly (readonly [string, readonly unknown[]])[] = [
    ['tasks', tasks],
    ...tasks
      .slice(0, MAX_TASKS)
      .map((task, index) => [`tasks.${index}.subtasks`, listIn(task, 'subtasks')] as const),
  ];
  const found = lists.find(([, items]) => items.length > FAR_TOO_MANY);
  return found === undefined
    ? null
    : `${found[0]}: a plan has at most ${MAX_TASKS} tasks of ${MAX_SUBTASKS} subtasks, not ${found[1].length.toLocaleString('en')}`;
}

const FAR_TOO_MANY = 100;

function listIn(value: unknown, key: 'tasks' | 'subtasks'): readonly unknown[] {
  const list = isRecord(value) ? value[key] : null;
  return Array.isArray(list) ? list : [];
}

function proposed(
  subtask: { readonly [key: string]: unknown },
  tools: readonly PlannableTool[],
): ProposedSubtask {
  const tool = tools.find((candidate) => candidate.name === subtask.action);
  const present = (tool?.extras ?? []).filter((extra) => subtask[extra]);
  const extras = Object.fromEntries(present.map((extra) => [extra, String(subtask[extra])]));
  return {
    action: String(subtask.action),
    ...(tool?.does ? { does: tool.does } : {}),
    target: String(subtask[tool?.key ?? '']),
    ...(present.length > 0 ? { extras } : {}),
    purpose: String(subtask.purpose),
    ...(subtask.independent === true ? { independent: true } : {}),
  };
}

export const textSchema = (maxLength: number, minLength = 1) => ({
  type: 'string',
  minLength,
  maxLength,
});

export const closedSchema = (properties: JsonSchema): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const LONGEST_FILE = 60;
const LONGEST_TARGET = 80;

const stepGrammar = ({ name: tool, key }: PlannableTool, isParallel: boolean): JsonSchema =>
  closedSchema({
    action: { const: tool },
    [key]: textSchema(key === 'file' ? LONGEST_FILE : LONGEST_TARGET),
    purpose: textSchema(160),
    ...(isParallel ? { independent: { type: 'boolean' } } : {}),
  });

/**
 * The same schema as a grammar for the model: tighter, so that a small model does not pad its answer.
 * @param isParallel whether the plan marks subtasks that may become runs of their own
 */
export function planSchemaOf(tools: readonly PlannableTool[], isParallel = false): JsonSchema {
  if (isParallel) return madePlanSchema(tools, true);
  const known = planSchemas.get(tools) ?? madePlanSchema(tools, false);
  planSchemas.set(tools, known);
  return known;
}

const planSchemas = new WeakMap<readonly PlannableTool[], JsonSchema>();

const madePlanSchema = (tools: readonly PlannableTool[], isParallel: boolean): JsonSchema =>
  closedSchema({
    tasks: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: closedSchema({
        description: textSchema(80),
        subtasks: {
          type: 'array',
          minItems: 1,
          maxItems: 4,
          items: { anyOf: tools.map((tool) => stepGrammar(tool, isParallel)) },
        },
      }),
    },
    verify: closedSchema({ cmd: textSchema(80, 0), stdin: textSchema(160, 0) }),
  });
