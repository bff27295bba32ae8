/** The plan question. Its two-line examples made usable plans where prose did not. */
import type { ToolNames } from '../schema/actions.ts';

/** A question that is answered from one file. */
const readingPlan = (names: ToolNames): string => `GOAL: Who wrote letter.md?
{"tasks":[{"description":"Answer","subtasks":[{"action":"${names.reads_files}","file":"letter.md","purpose":"find the answer"}]}],"verify":{"cmd":"","stdin":""}}`;

/** What the description of the form of a plan needs. */
export interface PlanForm {
  /** Goals with their plans, in the words of a language. */
  readonly examples: string;
  /** The tools that a plan may name, in their order. */
  readonly plannable: readonly string[];
  readonly names: ToolNames;
  /** The plan must write tests. */
  readonly withTests?: boolean;
  /** Subtasks may be runs of their own. */
  readonly isParallel?: boolean;
}

const listed = (words: readonly string[]): string =>
  `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

const INDEPENDENT =
  ' independent is true where a subtask uses no file that another one makes or changes.';

const form = ({
  examples,
  plannable,
  names,
  withTests,
  isParallel,
}: PlanForm): string => `Plan a goal as tasks with subtasks. A subtask is one ${listed(plannable)}, with its purpose.${isParallel ? INDEPENDENT : ''} As few files as possible: one file for a program, and ${withTests ? 'a new test file that fails without it' : 'a test file only if the goal asks for tests'}. verify is the command a user types to see that it works, and what he types in; it is empty when the goal only asks for information.
${examples}
${readingPlan(names)}`;

/** @param look what was seen of the files, or '' */
export const planQuestion = (
  goal: string,
  files: readonly string[],
  parts: PlanForm,
  look = '',
): string =>
  `${form(parts)}
${files.length > 0 ? `Files here: ${files.join(', ')}\n` : ''}${ended(look)}GOAL: ${goal}`;

const ended = (lines: string): string => (lines === '' ? '' : `${lines}\n`);

/**
 * The question once more, with the fault of its answer. It ends with the goal, as the examples do: after
 * anything else a small model gives the plan of an example.
 */
export function planQuestionAgain(question: string, goal: string, fault: string): string {
  const end = `GOAL: ${goal}`;
  const form = question.endsWith(end) ? question.slice(0, -end.length) : `${question}\n`;
  return `${form}A plan before this one could not be used. ${fault}\n${end}`;
}

export const replanQuestion = (options: {
  readonly goal: string;
  readonly why: string;
  readonly done: readonly string[];
  readonly files: readonly string[];
  /** What was seen of the files, or ''. */
  readonly look?: string;
  readonly form: PlanForm;
  /** True if the conversation does not show the form of a plan yet. */
  readonly withForm: boolean;
}): string =>
  `${options.withForm ? `${form(options.form)}\n` : ''}The plan did not work: ${options.why}
Done so far: ${options.done.length > 0 ? options.done.join('; ') : 'nothing'}.
Files here: ${options.files.length > 0 ? options.files.join(', ') : 'none'}.
${ended(options.look ?? '')}Plan only what is left, in the same form, another way than before; ${options.form.names.writes_whole_files} replaces a whole file.
GOAL: ${options.goal}`;
