/** The plan question. Its two-line examples made usable plans where prose did not. */

/** Files of the last example: a plan that names one of them copied it. */
export const EXAMPLE_FILES = ['notes.txt'];

const READING = `GOAL: What is in notes.txt?
{"tasks":[{"description":"Answer","subtasks":[{"action":"read_file","file":"notes.txt","purpose":"tell what it says"}]}],"verify":{"cmd":"","prints":"","stdin":""}}`;

/** @param examples goals with their plans, in the words of a language. */
const form = (
  examples: string,
): string => `Plan a goal as tasks with subtasks. A subtask is one write_file, edit_file, read_file, list_dir or run_cmd, with its purpose. As few files as possible: one file for a program, and a test file only if the goal asks for tests. verify is the command a user types to see that it works, what it must print, and what he types in; it is empty when the goal only asks for information.
${examples}
${READING}`;

export const planQuestion = (goal: string, files: readonly string[], examples: string): string =>
  `${form(examples)}
${files.length > 0 ? `Files here: ${files.join(', ')}\n` : ''}GOAL: ${goal}`;

export const planRefused = (fault: string): string =>
  `This plan cannot be used. ${fault} Answer with the whole plan again.`;

export const replanQuestion = (options: {
  readonly goal: string;
  readonly why: string;
  readonly done: readonly string[];
  readonly files: readonly string[];
  /** Where the conversation does not show the form of a plan already; else `null`. */
  readonly examples: string | null;
}): string =>
  `${options.examples === null ? '' : `${form(options.examples)}\n`}The plan did not work: ${options.why}
Done so far: ${options.done.length > 0 ? options.done.join('; ') : 'nothing'}.
Files here: ${options.files.length > 0 ? options.files.join(', ') : 'none'}.
Plan only what is left, in the same form, another way than before; write_file replaces a whole file.
GOAL: ${options.goal}`;
