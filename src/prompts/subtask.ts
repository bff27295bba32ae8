/** What the model reads when a subtask begins, and what it is asked about its file. */
import { isTestPath } from '../lib/test-path.ts';
import { type Plan, type Subtask, subtasksOf } from '../schema/plan.ts';
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
  const live = subtasksOf(plan);
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

export interface ImportableFile {
  readonly path: string;
  readonly defines: readonly string[];
}

/**
 * Names and signatures of the files there are, as the import lines to use. A test file is told to
 * begin with them: small models leave imports out of tests, or write the functions once more.
 */
export function importLines(
  files: readonly ImportableFile[],
  ownFile: string,
  hasPytest: boolean,
): string {
  const lines = files
    .map(({ path, defines }) => ({ path, defines: defines.filter((name) => !/^test/i.test(name)) }))
    .filter((file) => file.path !== ownFile && file.path.endsWith('.py') && file.defines.length > 0)
    .map((file) => {
      const module = file.path
        .replace(/\.py$/, '')
        .replaceAll('/', '.')
        .replace(/\.__init__$/, '');
      const names = file.defines.map((signature) => signature.replace(/\(.*$/, ''));
      return `from ${module} import ${names.join(', ')}   # ${file.defines.join('; ')}`;
    });
  if (lines.length === 0) return '';
  if (!isTestPath(ownFile)) return `You can import:\n${lines.join('\n')}`;
  return ['Its first lines are:', ...(hasPytest ? ['import pytest'] : []), ...lines].join('\n');
}

/** Else small models print what the tests then want returned. */
const TESTABLE = 'Functions return their result instead of printing it. ';

export function contentQuestion(options: {
  readonly goal: string;
  readonly file: string;
  readonly imports: string;
  /** Whether a test file is still to come. */
  readonly isTested: boolean;
  /** The file as it is, when it is to be changed. */
  readonly current: string | null;
  readonly faults: readonly string[];
}): string {
  const { file } = options;
  const isTest = isTestPath(file);
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
