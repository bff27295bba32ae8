/** A subtask in words, and the files it may build on. */
import { isTestPath } from '../lib/test-path.ts';
import { type Plan, type Subtask, subtasksOf } from '../schema/plan.ts';

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

/** Where a subtask stands among those that have not failed: `2 of 3`. */
export function placeOf(subtask: Subtask, plan: Plan): string {
  const all = livingSubtasks(plan);
  return `${all.indexOf(subtask) + 1} of ${all.length}`;
}

export const livingSubtasks = (plan: Plan): readonly Subtask[] =>
  subtasksOf(plan).filter((one) => one.status !== 'failed');

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
