/** The plan question. Its two-line examples made usable plans where prose did not. */

/** Files of the examples below: a plan that names one of them copied it. */
export const EXAMPLE_FILES = [
  'word_count.py',
  'date_parser.py',
  'test_date_parser.py',
  'notes.txt',
];

const EXAMPLES = `GOAL: Create a word counter
{"tasks":[{"description":"Word counter","subtasks":[{"action":"write_file","file":"word_count.py","purpose":"asks for a text and prints its number of words"}]}],"verify":{"cmd":"python word_count.py","prints":"2","stdin":"one two"}}
GOAL: Create a date parser with tests
{"tasks":[{"description":"Parser","subtasks":[{"action":"write_file","file":"date_parser.py","purpose":"parse_date(text) returns year, month, day"}]},{"description":"Tests","subtasks":[{"action":"write_file","file":"test_date_parser.py","purpose":"tests of parse_date: good dates and bad ones"}]}],"verify":{"cmd":"python -m pytest -q","prints":"passed","stdin":""}}
GOAL: What is in notes.txt?
{"tasks":[{"description":"Answer","subtasks":[{"action":"read_file","file":"notes.txt","purpose":"tell what it says"}]}],"verify":{"cmd":"","prints":"","stdin":""}}`;

const FORM = `Plan a goal as tasks with subtasks. A subtask is one write_file, edit_file, read_file, list_dir or run_cmd, with its purpose. As few files as possible: one file for a program, and a test file only if the goal asks for tests. verify is the command a user types to see that it works, what it must print, and what he types in; it is empty when the goal only asks for information.
${EXAMPLES}`;

export const planQuestion = (goal: string, files: readonly string[]): string =>
  `${FORM}
${files.length > 0 ? `Files here: ${files.join(', ')}\n` : ''}GOAL: ${goal}`;

export const planRefused = (fault: string): string =>
  `This plan cannot be used. ${fault} Answer with the whole plan again.`;

export const replanQuestion = (options: {
  readonly goal: string;
  readonly why: string;
  readonly done: readonly string[];
  readonly files: readonly string[];
  /** Where the conversation does not show the form of a plan already. */
  readonly withForm: boolean;
}): string =>
  `${options.withForm ? `${FORM}\n` : ''}The plan did not work: ${options.why}
Done so far: ${options.done.length > 0 ? options.done.join('; ') : 'nothing'}.
Files here: ${options.files.length > 0 ? options.files.join(', ') : 'none'}.
Plan only what is left, in the same form, another way than before; write_file replaces a whole file.
GOAL: ${options.goal}`;
