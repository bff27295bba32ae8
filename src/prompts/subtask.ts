/** What the model reads when a subtask begins, and what it is asked about its file. */
import type { Plan, Subtask } from '../schema/plan.ts';
import type { ToolMode } from '../schema/records.ts';

export const stepText = (subtask: Subtask): string => {
  const { step } = subtask;
  switch (step.action) {
    case 'run_cmd':
      return `run_cmd ${step.cmd}: ${subtask.purpose}`;
    case 'list_dir':
      return `list_dir ${step.path}: ${subtask.purpose}`;
    case 'goal':
      return subtask.purpose;
    default:
      return `${step.action} ${step.file}: ${subtask.purpose}`;
  }
};

export function subtaskStarted(options: {
  readonly mode: ToolMode;
  readonly goal: string;
  readonly plan: Plan;
  readonly subtask: Subtask;
  readonly facts: string;
  readonly isFirst: boolean;
}): string {
  const { plan, subtask } = options;
  const live = plan.tasks.flatMap((task) => task.subtasks);
  const all = live.filter((one) => one.status !== 'failed');
  const task = plan.tasks.find((candidate) => candidate.subtasks.includes(subtask));
  const place = `${all.indexOf(subtask) + 1} of ${all.length}`;
  if (options.mode === 'json')
    return [`Subtask ${place}: ${stepText(subtask)}.`, options.facts].filter(Boolean).join('\n');
  const proof = plan.proof ? [`VERIFIED AT THE END BY: ${plan.proof.cmd}`] : [];
  const overview = options.isFirst
    ? [`PLAN:`, ...all.map((one) => `${one.id} ${stepText(one)}`), ...proof]
    : [];
  return [
    `GOAL: ${options.goal}`,
    ...overview,
    `CURRENT TASK: ${task?.description ?? ''}`,
    `ACTIVE SUBTASK ${subtask.id} (${place}): ${stepText(subtask)}`,
    options.facts,
  ]
    .filter(Boolean)
    .join('\n');
}

/** Else small models print what the tests then want returned. */
const TESTABLE = 'Functions return their result instead of printing it. ';

export function contentQuestion(options: {
  readonly goal: string;
  readonly file: string;
  readonly imports: string;
  /** Whether it is a test file. */
  readonly isTest: boolean;
  /** Whether a test file is still to come. */
  readonly isTested: boolean;
  /** The file as it is, when it is to be changed. */
  readonly current: string | null;
  readonly faults: readonly string[];
}): string {
  const { file, isTest } = options;
  const tests = isTest ? 'Few tests, with simple values you are sure of. ' : '';
  const tested = options.isTested && !isTest ? TESTABLE : '';
  return [
    isTest ? '' : options.imports,
    options.current === null ? '' : `${file} is now:\n\`\`\`\n${options.current}\n\`\`\``,
    `${tests}Write the whole content of ${file} for the goal "${options.goal}". Short, complete, working code, no placeholders. ${tested}Answer with one code block and nothing else.`,
    isTest ? options.imports : '',
    ...options.faults.map((fault) => `It must not have this fault again: ${withoutPlace(fault)}`),
  ]
    .filter(Boolean)
    .join('\n');
}

/** The line a fault stood in says nothing once the answer is out of the conversation. */
const withoutPlace = (fault: string): string => fault.replace(/^line \d+: /, '');
