/** What makes a proposed plan unusable, as one sentence for the model. */
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan, ProposedSubtask } from './plan-schema.ts';

const ABSTRACT =
  /^(decide|think|choose|consider|determine|research|brainstorm|understand|plan the|design the)\b/i;
const PROGRAM = /\.(py|m?js|cjs|ts)$/i;

export function planFault(proposed: ProposedPlan, context: PlanContext): string | null {
  const subtasks = proposed.tasks.flatMap((task) => task.subtasks);
  if (subtasks.length === 0) return 'The plan has no subtask that writes a file or runs a command.';
  for (const subtask of subtasks) {
    const fault = subtaskFault(subtask, context);
    if (fault !== null) return fault;
  }
  return (
    nothingNewFault(subtasks, context) ??
    noPackageFault(subtasks, context) ??
    emptyPackageFault(subtasks) ??
    noTestsFault(proposed, subtasks, context) ??
    proofFault(proposed, subtasks, context)
  );
}

/** A new plan that only writes once more what is written. */
function nothingNewFault(
  subtasks: readonly ProposedSubtask[],
  { finishedFiles }: PlanContext,
): string | null {
  const isOld = (subtask: ProposedSubtask) =>
    subtask.action === 'write_file' && finishedFiles.includes(subtask.file);
  return subtasks.every(isOld)
    ? `${finishedFiles.join(', ')} are written already: plan only what is still missing.`
    : null;
}

/** A test run as the proof needs a test: one that is there, or one that is planned. */
function noTestsFault(
  proposed: ProposedPlan,
  subtasks: readonly ProposedSubtask[],
  context: PlanContext,
): string | null {
  const files = untestedFiles(proposed, subtasks, context);
  return files
    ? `No subtask writes the tests: keep ${files.join(', ')} and add a write_file of a file test_NAME.py.`
    : null;
}

/** The files of a plan that must be tested and for which no test is planned; `null`: none is missing. */
export function untestedFiles(
  proposed: ProposedPlan,
  subtasks: readonly ProposedSubtask[],
  context: PlanContext,
): readonly string[] | null {
  const cmd = proposed.verify?.cmd ?? '';
  const isPytest = /\bpytest\b|\bunittest\b/.test(cmd);
  const wantsTests = isPytest || /\btests?\b/i.test(context.goal);
  const isTest = (name: string) => /(^|\/)test_[^/]*\.py$|_test\.py$|[._]test\.\w+$/.test(name);
  const files = subtasks.flatMap((subtask) =>
    subtask.action === 'write_file' || subtask.action === 'edit_file' ? [subtask.file] : [],
  );
  const writesPython = files.some((file) => file.endsWith('.py'));
  return wantsTests && writesPython && ![...files, ...context.files].some(isTest) ? files : null;
}

/** A package in Python is a folder; a single module is something else. */
function noPackageFault(subtasks: readonly ProposedSubtask[], context: PlanContext): string | null {
  const folder = missingPackage(subtasks, context);
  return folder === null
    ? null
    : `The goal asks for a package: a folder ${folder} with ${folder}/__init__.py that holds the functions.`;
}

export const UNNAMED = 'NAME';

/** The folder of the package that a goal asks for and a plan does not make. */
export function missingPackage(
  subtasks: readonly ProposedSubtask[],
  { goal, files }: PlanContext,
): string | null {
  const called = /\bpackage (?:called|named) ([a-z_]\w*)/i.exec(goal);
  const name = called ?? /\b([a-z_]\w*) package\b/i.exec(goal);
  const written = subtasks.flatMap((subtask) =>
    subtask.action === 'write_file' ? [subtask.file] : [],
  );
  const isPython = written.some((file) => file.endsWith('.py'));
  const hasPackage = [...written, ...files].some((file) => /(^|\/)__init__\.py$/.test(file));
  if (!name || !isPython || hasPackage) return null;
  const word = name[1] ?? '';
  return /^(a|an|the|python|new|)$/i.test(word) ? UNNAMED : word;
}

const MARKER =
  /\b(empty|marker?s?|existence|initiali[sz]es?|package structure|makes? .* a package)\b/i;

/** Tests planned for a package whose only file is meant to hold nothing. */
function emptyPackageFault(subtasks: readonly ProposedSubtask[]): string | null {
  const code = subtasks.flatMap((subtask) =>
    subtask.action === 'write_file' && subtask.file.endsWith('.py') ? [subtask] : [],
  );
  const sources = code.filter((subtask) => !/(^|\/)(test_[^/]*|conftest)\.py$/.test(subtask.file));
  const [first] = sources;
  const isEmpty =
    first !== undefined &&
    sources.length < code.length &&
    sources.every(
      (subtask) => subtask.file.endsWith('__init__.py') && MARKER.test(subtask.purpose),
    );
  return isEmpty
    ? `No file holds the code that is tested: put the functions into ${first.file} and name them in its purpose.`
    : null;
}

function subtaskFault(subtask: ProposedSubtask, context: PlanContext): string | null {
  if (ABSTRACT.test(subtask.purpose))
    return `"${subtask.purpose}" is not a step: say what a file holds or what a command shows.`;
  if (subtask.action === 'run_cmd') return context.commandFault(subtask.cmd);
  const file = subtask.file.replaceAll('\\', '/');
  if (file.startsWith('/') || /^[a-z]:/i.test(file) || file.split('/').includes('..'))
    return `${file}: name files relative to the folder, as in "name.py".`;
  if (subtask.action === 'write_file' && file.endsWith('/'))
    return `${file} is a folder: name the files in it.`;
  const isMeant = context.goal.includes(file) || context.exists(file);
  const isLeaked = context.exampleFiles.includes(file) && !isMeant;
  return isLeaked ? `${file} belongs to the example. Name a file of this goal.` : null;
}

function proofFault(
  proposed: ProposedPlan,
  subtasks: readonly ProposedSubtask[],
  context: PlanContext,
): string | null {
  const cmd = proposed.verify?.cmd.trim() ?? '';
  const programs = subtasks.flatMap((subtask) =>
    subtask.action === 'write_file' && PROGRAM.test(subtask.file) ? [subtask.file] : [],
  );
  if (cmd === '')
    return programs.length > 0
      ? `verify.cmd is empty: name the command that runs ${programs[0]}.`
      : null;
  const refused = context.commandFault(cmd);
  if (refused !== null) return `verify.cmd: ${refused}`;
  return null;
}
