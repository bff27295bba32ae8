/** The questions of the guided driver. */
import { isCodePath, isDataPath, isTestPath } from '../../languages/languages.ts';
import { stepText } from '../../prompts/subtask.ts';
import type { Subtask } from '../../schema/plan.ts';
import type { FileExcerpts } from './file-excerpts.ts';

/**
 * Without an example: small models repeat its answer word for word.
 * @param parts of the goal that ask something, if it asks more than one thing
 * @param tool the one that ends a subtask
 */
export const answerQuestion = (
  subtask: Subtask,
  { goal, parts }: { readonly goal: string; readonly parts: readonly string[] },
  tool: string,
): string => {
  const what = parts.length > 0 ? 'each part of the goal' : `the goal "${goal}"`;
  return [
    `Done: ${stepText(subtask)}. Now answer ${what} with the names, texts or figures that you saw above.`,
    ...parts.map((part, index) => `${index + 1} ${part}`),
    `Compact JSON with action "${tool}", answer, reason, success.`,
  ].join(parts.length > 0 ? '\n' : ' ');
};

export const decisionQuestion = (subtask: Subtask, names: readonly string[]): string =>
  `What next for: ${stepText(subtask)}? Answer with one action as compact JSON: ${names.join(', ')}.`;

/** @param tool the one that runs commands */
export const inputQuestion = (cmd: string, prompts: readonly string[], tool: string): string =>
  prompts.length === 0
    ? `Next: ${cmd}. The program reads lines and does not say what it wants. Give the ${tool} action with all that a user types as stdin, one value a line, as compact JSON.`
    : `Next: ${cmd}. The program asks: ${prompts.map((prompt) => JSON.stringify(prompt)).join(', ')}. Give the ${tool} action with what a user types as stdin, one line for each question, as compact JSON.`;

type FileExcerpt = Pick<FileExcerpts, 'title' | 'text' | 'isWhole'>;

const fenced = (text: string): string => `\`\`\`\n${text.trimEnd()}\n\`\`\``;

/** Asked in a conversation of its own: it contains everything needed, and no earlier answer to copy. */
export function repairQuestion(options: {
  readonly goal: string;
  readonly cmd: string;
  readonly error: string;
  /** Other files that may have caused the failure. */
  readonly files: readonly FileExcerpt[];
  readonly file: string;
  readonly isThere: boolean;
  /** The file as it is; `null`: it does not exist, or is not shown. */
  readonly current: FileExcerpt | null;
  readonly faults: readonly string[];
}): string {
  const { goal, cmd, error, files, file, isThere, current } = options;
  const anew = current === null ? ' anew, in another way' : ', corrected';
  const asked = `Write ${contentRequest(file, current)}${isThere ? anew : ''}.`;
  return [
    `GOAL: ${goal}`,
    ...files.map(({ title, text }) => `${title}:\n${fenced(text)}`),
    ...(current ? [currentText(current)] : []),
    `This command failed: ${cmd}`,
    error,
    `${asked} Answer with one code block and nothing else.`,
    ...faultLines(options.faults),
  ].join('\n');
}

const currentText = ({ title, text, isWhole }: FileExcerpt): string =>
  `${title} ${isWhole ? 'is' : 'are'} now:\n${fenced(text)}`;

/** Asks for a file's content; of a long file only for the lines that were shown: the rest stays as it is. */
const contentRequest = (file: string, current: FileExcerpt | null): string =>
  current === null || current.isWhole
    ? `the whole content of ${file}`
    : `only these lines of ${file} anew, all of them`;

/** When asked for code, small models write code even if a text or data is wanted. */
function formatInstruction(file: string, current: FileExcerpt | null): string {
  if (current !== null && (isDataPath(file) || !isCodePath(file)))
    return 'It is no program: every line that need not change stays as it is.';
  return isCodePath(file)
    ? 'Short, complete, working code, no placeholders.'
    : 'Short and complete, no placeholders.';
}

/** Otherwise small models print what the tests then expect as a return value. */
const TESTABLE = 'Functions return their result instead of printing it. ';

export function contentQuestion(options: {
  readonly goal: string;
  readonly file: string;
  /** Whether a test file is still to come. */
  readonly isTested: boolean;
  /** The file as it is, if it is to be changed. */
  readonly current: FileExcerpt | null;
  /** The tests that fail now, or ''. */
  readonly failing: string;
  readonly faults: readonly string[];
}): string {
  const { file } = options;
  const isTest = isTestPath(file);
  const tests = isTest ? 'Few tests, with simple values you are sure of. ' : '';
  const tested = options.isTested && !isTest && isCodePath(file) ? TESTABLE : '';
  return [
    options.current === null ? '' : currentText(options.current),
    options.failing,
    `${tests}Write ${contentRequest(file, options.current)} for the goal "${options.goal}". ${formatInstruction(file, options.current)} ${tested}Answer with one code block and nothing else.`,
    ...faultLines(options.faults),
  ]
    .filter(Boolean)
    .join('\n');
}

/** The line number of a fault is meaningless once the answer has left the conversation. */
const faultLines = (faults: readonly string[]): readonly string[] =>
  faults.map((fault) => `It must not have this fault again: ${fault.replace(/^line \d+: /, '')}`);
