/** What a plan is read with, and answers to read, for tests of the rules for plans. */
import { parsePlan } from '../../src/decompose/parse-plan.ts';
import type { PlanContext } from '../../src/decompose/plan-context.ts';
import { plannableOf } from '../../src/decompose/plan-schema.ts';
import type { Plan } from '../../src/schema/plan.ts';
import { TOOLS } from './built-in-tools.ts';

export type Step = Record<string, string>;

/** @param files texts of the files that are there */
export function planContext(
  goal: string,
  more: Partial<PlanContext> = {},
  files: { readonly [path: string]: string } = {},
): PlanContext {
  return {
    goal,
    examples: { fileName: 'name.py' },
    installed: new Set(['python', 'pytest', 'node']),
    exists: (path) => files[path] !== undefined,
    readText: (path) => files[path] ?? null,
    missingProgram: () => null,
    files: Object.keys(files),
    finishedFiles: [],
    isLastTry: false,
    commandFault: (cmd) => (/^(?:cat|ls|rm)\b/.test(cmd) ? `${cmd} is not allowed here.` : null),
    tools: plannableOf(TOOLS),
    firstTask: 1,
    ...more,
  };
}

export const write = (file: string, purpose = 'does it'): Step => ({
  action: 'write_file',
  file,
  purpose,
});
export const edit = (file: string, purpose = 'changes it'): Step => ({
  action: 'edit_file',
  file,
  purpose,
});
export const read = (file: string, purpose = 'see it'): Step => ({
  action: 'read_file',
  file,
  purpose,
});
export const run = (cmd: string, purpose = 'shows it'): Step => ({
  action: 'run_cmd',
  cmd,
  purpose,
});

export const answerOf = (
  subtasks: readonly Step[],
  verify: { cmd: string; prints?: string; stdin?: string } = { cmd: '' },
): string => JSON.stringify({ tasks: [{ description: 'work', subtasks }], verify });

/** The plan, or why there is none. */
export function planOf(answer: string, context: PlanContext): Plan | string {
  const parsed = parsePlan(answer, context);
  return parsed.kind === 'plan' ? parsed.plan : parsed.fault;
}

/** The targets of its steps in their order, or why there is no plan. */
export function targetsOf(answer: string, context: PlanContext): readonly string[] | string {
  const plan = planOf(answer, context);
  return typeof plan === 'string'
    ? plan
    : plan.tasks.flatMap(({ subtasks }) => subtasks.map(({ step }) => step?.target ?? ''));
}

/** Its proof; `null`: it has none. */
export function proofOf(answer: string, context: PlanContext): Plan['proof'] | string | null {
  const plan = planOf(answer, context);
  return typeof plan === 'string' ? plan : (plan.proof ?? null);
}
