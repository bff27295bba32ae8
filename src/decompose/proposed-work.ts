/** Reads and limits a plan that a free driver's model sets; otherwise it stays as it is. Pure. */
import { isTestPath } from '../languages/languages.ts';
import { runsTests } from '../languages/testing/test-runs.ts';
import { defined } from '../lib/defined.ts';
import type { PlanArgs } from '../schema/model/proposed-plan.ts';
import { type Plan, type Proof, subtasksOf } from '../schema/plan.ts';
import { normalPath } from './planned-work.ts';

const MAX_TASKS = 8;
const MAX_SUBTASKS = 30;
const LONGEST = 600;
const MAX_FILES = 40;

/**
 * The fault of the plan, in one or two sentences for the model.
 * @param before the proof of the earlier plan, if it had one
 */
export function faultOfWork(args: PlanArgs, before: Proof | null): string | null {
  return faultOf(args) ?? faultOfProof(args, before);
}

/**
 * The same for a plan that must write tests and be proved by them.
 * @param before the earlier plan, whose tests may exist by now
 */
export function faultOfTests(
  { tasks, proof, answer_only }: PlanArgs,
  before: Plan | null,
  exists: (path: string) => boolean,
): string | null {
  if (answer_only) return null;
  const planned = tasks.flatMap(({ subtasks }) => subtasks.flatMap(({ files = [] }) => files));
  const earlier = (before ? subtasksOf(before) : []).flatMap(({ files = [] }) => files);
  if (![...planned.map(asPath).filter((path) => !exists(path)), ...earlier].some(isTestPath))
    return 'Tests are asked for: name in files of a subtask the new test file that it writes.';
  const cmd = proof?.cmd ?? before?.proof?.cmd ?? '';
  return runsTests(cmd)
    ? null
    : 'Tests are asked for: its proof must be the command that runs them.';
}

function faultOf({ tasks }: PlanArgs): string | null {
  const count = tasks.reduce((sum, task) => sum + task.subtasks.length, 0);
  if (tasks.length > MAX_TASKS || count > MAX_SUBTASKS)
    return `A plan has at most ${MAX_TASKS} tasks and ${MAX_SUBTASKS} subtasks in all, not ${tasks.length} and ${count}.`;
  const subtasks = tasks.flatMap((task) => task.subtasks);
  const texts = [...tasks.map(({ description }) => description), ...subtasks.map((one) => one.do)];
  if (texts.some((text) => text.trim() === ''))
    return 'Each task and each subtask says what it is.';
  const long = texts.find((text) => text.length > LONGEST);
  if (long !== undefined)
    return `Say each in at most ${LONGEST} characters; too long: ${long.slice(0, 60)}…`;
  return subtasks.some(({ files = [] }) => files.length > MAX_FILES)
    ? `A subtask names at most ${MAX_FILES} files.`
    : null;
}

/** The fault of a plan that drops the proof, its input or its required output without a reason. */
function faultOfProof({ proof, why }: PlanArgs, before: Proof | null): string | null {
  const cmd = proof?.cmd.trim() ?? '';
  if (before === null || cmd === '' || why?.trim()) return null;
  const isLooser = before.prints !== undefined && !proof?.prints?.trim();
  const hasOtherInput = before.stdin !== undefined && before.stdin !== proof?.stdin;
  if (before.cmd === cmd && !isLooser && !hasOtherInput) return null;
  const input = hasOtherInput ? ` with the input ${JSON.stringify(before.stdin)}` : '';
  const output = isLooser ? ` with the output ${JSON.stringify(before.prints)}` : '';
  const how = before.cmd === cmd ? `${input}${output}` : '';
  return `The proof was ${before.cmd}${how}: say in why it is another one now.`;
}

/** @param firstTask the number of the first task; a new plan continues the count */
export function planOfWork({ tasks, proof, answer_only }: PlanArgs, firstTask: number): Plan {
  const cmd = proof?.cmd.trim() ?? '';
  const prints = proof?.prints?.trim();
  const stdin = proof?.stdin;
  const plan: Plan = {
    tasks: tasks.map(({ description, subtasks }, index) => ({
      id: `${firstTask + index}`,
      description: description.trim(),
      subtasks: subtasks.map(({ do: purpose, files, done_when, independent }, place) => ({
        id: `${firstTask + index}.${place + 1}`,
        purpose: purpose.trim(),
        ...(files?.length ? { files: files.map(asPath).filter(Boolean) } : {}),
        ...(independent === true ? { independent } : {}),
        ...defined({ done_when: done_when?.trim() || undefined }),
        checks: [],
        status: 'pending',
      })),
    })),
    fallback: false,
    ...(cmd === ''
      ? {}
      : { proof: { cmd, ...(stdin ? { stdin } : {}), ...(prints ? { prints } : {}) } }),
  };
  const isAnswer = answer_only === true && cmd === '' && subtasksOf(plan).length > 0;
  return isAnswer ? { ...plan, answer_only: true } : plan;
}

/** The form in which the run knows its files: relative, with `/`, folders without a trailing one. */
const asPath = (file: string): string => normalPath(file.trim()).replace(/\/+$/, '');
