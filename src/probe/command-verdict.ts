/** Pure: whether what a command printed and returned shows what it was run for. */
import { meaningOfExit, testsThatRan } from '../languages/testing/test-output.ts';
import type { Shortfall } from '../schema/actions.ts';
import { firstDifference } from './first-difference.ts';

export interface CommandOutcome {
  readonly cmd: string;
  readonly exitCode: number | null;
  /** stdout and stderr together. */
  readonly output: string;
  /** What it must print; compared without regard to case, white space and punctuation. */
  readonly prints?: string | undefined;
  /** One that only asks for input shows nothing; one that says nothing at all may prove by its exit code. */
  readonly proof?: boolean;
  /** What the program asks its user, with `…` where it fills something in. */
  readonly prompts?: readonly string[];
}

export interface Verdict {
  readonly passed: boolean;
  /** One sentence for the model and the user. */
  readonly reason: string;
  /** Of one that ended well and all the same did not show what it was run for. */
  readonly shortfall?: Shortfall;
}

/** Judges one finished command. Never looks at anything but its argument. */
export function judgeCommand(outcome: CommandOutcome): Verdict {
  const { exitCode, output, prints } = outcome;
  const mustPrint = prints !== undefined && prints.trim() !== '';
  const isUsage = !asksForHelp(outcome.cmd) && isOnlyUsage(output);
  if (exitCode !== 0) return failed(exitSentence(exitCode), isUsage ? 'usage' : undefined);
  const tests = testsThatRan(output);
  if (tests !== null)
    return failed(tests === 'none' ? 'no tests were found and run' : 'no test passed');
  if (mustPrint && output.trim() === '')
    return failed('it ended with exit code 0 but printed nothing', 'silent');
  if (outcome.proof && isOnlyPrompts(output, outcome.prompts ?? []))
    return failed('it asked for input and then printed nothing: print the outcome');
  if (isUsage)
    return failed('it only printed how it is used: give it the arguments it needs', 'usage');
  if (mustPrint && !printsText(output, prints)) return failed(unprinted(output, prints), 'output');
  return { passed: true, reason: 'it ended with exit code 0' };
}

function failed(reason: string, shortfall?: Shortfall): Verdict {
  return { passed: false, reason, ...(shortfall === undefined ? {} : { shortfall }) };
}

function unprinted(output: string, prints: string): string {
  const difference = firstDifference(output, prints);
  const where = difference === null ? '' : `; ${difference}`;
  return `it ended with exit code 0 but did not print "${prints.trim()}"${where}`;
}

function exitSentence(exitCode: number | null): string {
  if (exitCode === null) return 'it did not come to its end';
  const meaning = meaningOfExit(exitCode);
  return `it ended with exit code ${exitCode}${meaning === null ? '' : ` (${meaning})`}`;
}

/** True when nothing is left of the output without the questions the program asks. */
function isOnlyPrompts(output: string, prompts: readonly string[]): boolean {
  const asked = prompts.map(squeeze).filter((prompt) => prompt.replaceAll('…', '') !== '');
  const left = asked.reduce(
    (text, prompt) => text.replaceAll(anyOf(prompt), ''),
    output.normalize('NFKC'),
  );
  return asked.length > 0 && left.trim() === '';
}

/** True where a program prints that and nothing else, line for line, the questions that it asks apart. */
export function isWholeOutput(
  output: string,
  wanted: string,
  prompts: readonly string[] = [],
): boolean {
  const left = prompts
    .map(squeeze)
    .filter((prompt) => prompt.replaceAll('…', '') !== '')
    .reduce((text, prompt) => text.replaceAll(anyOf(prompt), ''), output);
  return linesIn(left) === linesIn(wanted);
}

const linesIn = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

/** A prompt as a pattern, whatever its white space and whatever was filled in. */
function anyOf(prompt: string): RegExp {
  const parts = prompt
    .split('…')
    .map((part) =>
      [...part].map((letter) => letter.replace(/[$()*+.?[\\\]^{|}]/, '\\$&')).join('\\s*'),
    );
  return new RegExp(parts.join('[^\\n]*?'), 'g');
}

const asksForHelp = (cmd: string) => /(?:^|\s)(?:--help|-h|help|--usage|\/\?)(?:\s|$)/.test(cmd);

/** Lines that belong to a usage message once one is there. */
const PART_OF_USAGE =
  /^(?:\s+\S|-|(?:options|optional arguments|positional arguments|arguments|commands|examples?)\b|[\w -]+:\s*$)/i;
const COMPLAINT =
  /\b(?:error|missing|required?|provide|invalid|expected|specify|please|not enough|no \w+ given)\b/i;

function isOnlyUsage(output: string): boolean {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== '');
  const usage = lines.findIndex((line) => /^\s*usage\b\s*:?/i.test(line));
  if (usage === -1) return false;
  const before = lines.slice(0, usage);
  const after = lines.slice(usage + 1);
  if (!before.every((line) => COMPLAINT.test(line))) return false;
  const isHelpPage = after.some((line) =>
    /^(?:options|(?:optional|positional) arguments):/i.test(line),
  );
  return isHelpPage || after.every((line) => PART_OF_USAGE.test(line) || COMPLAINT.test(line));
}

/** True when the words of `wanted` stand in `output`, in order and together. */
export function printsText(output: string, wanted: string): boolean {
  const words = wordsOf(wanted);
  if (words.length === 0) return squeeze(output).includes(squeeze(wanted));
  if (` ${wordsOf(output).join(' ')} `.includes(` ${words.join(' ')} `)) return true;
  // Without white space "7" would be found in "17", so figures are only compared as words.
  const letters = words.join('');
  return letters.length >= 4 && !/\d/.test(letters) && wordsOf(output).join('').includes(letters);
}

/** Words and figures: a figure keeps its sign and its decimal point. */
function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '');
  const words = plain.match(/(?<![\p{L}\p{N}])-?\d+(?:\.\d+)*(?![\p{L}\p{N}])|[\p{L}\p{N}]+/gu);
  return (words ?? []).map((word) => word.replace(WHOLE, '$1'));
}

/** 80.0 is 80: languages differ in how they write a whole number. */
const WHOLE = /^(-?\d+)\.0+$/;

const squeeze = (text: string) => text.normalize('NFKC').replace(/\s+/g, '');
