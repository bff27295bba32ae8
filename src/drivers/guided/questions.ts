/** The questions of the guided driver. */
import { isTestPath } from '../../languages/languages.ts';
import { stepText } from '../../prompts/subtask.ts';
import type { Subtask } from '../../schema/plan.ts';

export const completionQuestion = (subtask: Subtask): string =>
  `Is this subtask done: ${stepText(subtask)}? Answer with mark_subtask_complete as compact JSON, success true or false: {"action":"mark_subtask_complete","reason":"...","success":true}`;

/** Without an example: small models send its answer back word for word. */
export const answerQuestion = (subtask: Subtask, goal: string): string =>
  `Done: ${stepText(subtask)}. Now answer the goal "${goal}" with the names, texts or figures that you saw above. Compact JSON with action "mark_subtask_complete", answer, reason, success.`;

export const decisionQuestion = (subtask: Subtask, names: readonly string[]): string =>
  `What next for: ${stepText(subtask)}? Answer with one action as compact JSON: ${names.join(', ')}.`;

export const inputQuestion = (cmd: string, prompts: readonly string[]): string =>
  `Next: ${cmd}. The program asks: ${prompts.map((prompt) => JSON.stringify(prompt)).join(', ')}. Give the run_cmd action with what a user types as stdin, one line for each question, as compact JSON.`;

interface Failure {
  readonly cmd: string;
  readonly error: string;
  /** What it may lie in. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** A failed command, after the files it may lie in. */
export function failureText({ cmd, error, files }: Failure): string {
  const shown = files.map(({ path, text }) => `${path}:\n\`\`\`\n${text.trimEnd()}\n\`\`\``);
  return [...shown, `This command failed: ${cmd}`, error].join('\n');
}

/** Asked in a conversation of its own: it holds all that is needed, and no earlier answer to copy. */
export function repairQuestion(
  options: Failure & {
    readonly goal: string;
    readonly problems: readonly string[];
    readonly choices: readonly string[];
  },
): string {
  return [
    `GOAL: ${options.goal}`,
    failureText(options),
    ...options.problems,
    `Which file must change: ${options.choices.join(', ')}? Answer as compact JSON: {"action":"write_file","because":"...","file":"..."}`,
  ].join('\n');
}

export const repairContentQuestion = (file: string, faults: readonly string[]): string =>
  [
    `Write the whole content of ${file}, corrected. Answer with one code block and nothing else.`,
    ...faults.map((fault) => `It must not have this fault: ${fault}`),
  ].join('\n');

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
