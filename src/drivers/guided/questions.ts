/** The questions of the guided driver. */
import { isCodePath, isDataPath, isTestPath } from '../../languages/languages.ts';
import { stepText } from '../../prompts/subtask.ts';
import type { Subtask } from '../../schema/plan.ts';

/**
 * Without an example: small models send its answer back word for word.
 * @param tool the one that ends a subtask
 */
export const answerQuestion = (subtask: Subtask, goal: string, tool: string): string =>
  `Done: ${stepText(subtask)}. Now answer the goal "${goal}" with the names, texts or figures that you saw above. Compact JSON with action "${tool}", answer, reason, success.`;

export const decisionQuestion = (subtask: Subtask, names: readonly string[]): string =>
  `What next for: ${stepText(subtask)}? Answer with one action as compact JSON: ${names.join(', ')}.`;

/** @param tool the one that runs commands */
export const inputQuestion = (cmd: string, prompts: readonly string[], tool: string): string =>
  prompts.length === 0
    ? `Next: ${cmd}. The program reads lines and does not say what it wants. Give the ${tool} action with all that a user types as stdin, one value a line, as compact JSON.`
    : `Next: ${cmd}. The program asks: ${prompts.map((prompt) => JSON.stringify(prompt)).join(', ')}. Give the ${tool} action with what a user types as stdin, one line for each question, as compact JSON.`;

interface Failure {
  readonly cmd: string;
  readonly error: string;
  /** What it may lie in. */
  readonly files: readonly ShownText[];
}

/** A file, or some lines of it, with what it is called. */
interface ShownText {
  readonly title: string;
  readonly text: string;
  readonly isWhole: boolean;
}

/** A failed command, after the files it may lie in. */
export function failureText({ cmd, error, files }: Failure): string {
  const shown = files.map(({ title, text }) => `${title}:\n\`\`\`\n${text.trimEnd()}\n\`\`\``);
  return [...shown, `This command failed: ${cmd}`, error].join('\n');
}

/** Asked in a conversation of its own: it holds all that is needed, and no earlier answer to copy. */
export function repairQuestion(
  options: Failure & {
    readonly goal: string;
    readonly problems: readonly string[];
    readonly choices: readonly string[];
    /** The one that writes whole files. */
    readonly tool: string;
  },
): string {
  return [
    `GOAL: ${options.goal}`,
    failureText(options),
    ...options.problems,
    `Which file must change: ${options.choices.join(', ')}? Answer as compact JSON: {"action":"${options.tool}","because":"...","file":"..."}`,
  ].join('\n');
}

/** A model that gives a whole file back as it was copies it; of one line there is nothing to copy. */
export function lineQuestion(
  options: Failure & {
    readonly goal: string;
    readonly file: string;
    /** The one that changes text in a file. */
    readonly tool: string;
  },
): string {
  const { file, tool } = options;
  return [
    `GOAL: ${options.goal}`,
    failureText(options),
    `A line of ${file} is wrong. Which one, and what must stand there? Answer as compact JSON: {"action":"${tool}","because":"...","file":"${file}","instead_of":"...","write":"..."}`,
  ].join('\n');
}

/** @param current the file as it is, where the question before did not show it whole */
export const repairContentQuestion = (
  file: string,
  current: ShownText | null,
  faults: readonly string[],
  isThere: boolean,
): string =>
  [
    ...(current ? [currentText(current)] : []),
    `Write ${wanted(file, current)}${isThere ? ', corrected' : ''}. Answer with one code block and nothing else.`,
    ...faults.map((fault) => `It must not have this fault: ${fault}`),
  ].join('\n');

/** What is not in view cannot be copied. */
export const functionQuestion = (options: {
  readonly goal: string;
  readonly file: string;
  /** The line that it begins with. */
  readonly head: string;
  readonly faults: readonly string[];
}): string =>
  [
    `In ${options.file} this function is wrong: ${options.head.trim()}`,
    `Write it anew for the goal "${options.goal}", only this function, with the same name. Answer with one code block and nothing else.`,
    ...options.faults.map((fault) => `It must not have this fault again: ${withoutPlace(fault)}`),
  ].join('\n');

const currentText = ({ title, text, isWhole }: ShownText): string =>
  `${title} ${isWhole ? 'is' : 'are'} now:\n\`\`\`\n${text}\n\`\`\``;

/** Of a long file only the lines that were shown: the rest of it stays as it is. */
const wanted = (file: string, current: ShownText | null): string =>
  current === null || current.isWhole
    ? `the whole content of ${file}`
    : `only these lines of ${file} anew, all of them`;

/** Asked for code, small models write some, also where a text or data is wanted. */
function manner(file: string, current: ShownText | null): string {
  if (current !== null && (isDataPath(file) || !isCodePath(file)))
    return 'It is no program: every line that need not change stays as it is.';
  return isCodePath(file)
    ? 'Short, complete, working code, no placeholders.'
    : 'Short and complete, no placeholders.';
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
  readonly current: ShownText | null;
  /** The tests that fail now, or ''. */
  readonly failing: string;
  readonly faults: readonly string[];
}): string {
  const { file } = options;
  const isTest = isTestPath(file);
  const tests = isTest ? 'Few tests, with simple values you are sure of. ' : '';
  const tested = options.isTested && !isTest && isCodePath(file) ? TESTABLE : '';
  return [
    isTest ? '' : options.imports,
    options.current === null ? '' : currentText(options.current),
    options.failing,
    `${tests}Write ${wanted(file, options.current)} for the goal "${options.goal}". ${manner(file, options.current)} ${tested}Answer with one code block and nothing else.`,
    isTest ? options.imports : '',
    ...options.faults.map((fault) => `It must not have this fault again: ${withoutPlace(fault)}`),
  ]
    .filter(Boolean)
    .join('\n');
}

/** The line a fault stood in says nothing once the answer is out of the conversation. */
const withoutPlace = (fault: string): string => fault.replace(/^line \d+: /, '');
