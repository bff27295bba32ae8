/** Pure: whether what a command printed and returned shows what it was run for. */
import { meaningOfExit, testsThatRan } from '../languages/testing/test-output.ts';
import type { Shortfall } from '../schema/actions.ts';
import { firstDifference } from './first-difference.ts';

export interface CommandOutcome {
  readonly exitCode: number | null;
  /** stdout and stderr together. */
  readonly output: string;
  /** The output that the command must print; compared without regard to case, white space and punctuation. */
  readonly prints?: string | undefined;
}

export interface CommandVerdict {
  readonly passed: boolean;
  /** One sentence for the model and the user. */
  readonly reason: string;
  /** For a command that exited with 0 but did not show what it was run for. */
  readonly shortfall?: Shortfall;
}

/** Judges one finished command. Never looks at anything but its argument. */
export function judgeCommand(outcome: CommandOutcome): CommandVerdict {
  const { exitCode, output, prints } = outcome;
  const mustPrint = prints !== undefined && prints.trim() !== '';
  if (exitCode !== 0) return failed(exitSentence(exitCode));
  const tests = testsThatRan(output);
  if (tests !== null)
    return failed(tests === 'none' ? 'no tests were found and run' : 'no test passed');
  if (mustPrint && output.trim() === '')
    return failed('it ended with exit code 0 but printed nothing', 'silent');
  if (mustPrint && !printsText(output, prints)) return failed(unprinted(output, prints), 'output');
  return { passed: true, reason: 'it ended with exit code 0' };
}

function failed(reason: string, shortfall?: Shortfall): CommandVerdict {
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

/** True if a program prints exactly that, line for line, apart from its prompts. */
export function printsExactly(
  output: string,
  wanted: string,
  prompts: readonly string[] = [],
): boolean {
  const left = prompts
    .flatMap((prompt) => patternOf(prompt) ?? [])
    .reduce((text, pattern) => text.replaceAll(pattern, ''), output);
  return linesIn(left) === linesIn(wanted);
}

const linesIn = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

/** A filled-in part stands on one line. */
const FILLED = '[^\\n]{0,200}?';

/**
 * The pattern of a prompt, with any white space and anything filled in; `null`: nothing in it could be
 * recognised. Each part is looked for once after the part before it, so that many of them take no longer than
 * one.
 */
function patternOf(prompt: string): RegExp | null {
  const parts = prompt.split('…').map((part) => part.replace(/\s+/g, ''));
  const [first = '', ...rest] = parts;
  // If a prompt ends with a filled-in part, its end is unknown. Signs alone may stand anywhere in an output.
  if (parts.at(-1) === '') return null;
  if (rest.length > 0 && !/\p{L}/u.test(parts.join(''))) return null;
  const behind = rest.filter((part) => part !== '').map(spaced);
  const found = behind.map((part, index) => `(?=(${FILLED}${part}))\\${index + 1}`);
  return new RegExp(`${spaced(first)}${found.join('')}`, 'g');
}

const spaced = (text: string): string =>
  [...text].map((letter) => letter.replace(/[$()*+.?[\\\]^{|}]/, '\\$&')).join('\\s*');

/** True if the words of `wanted` stand in `output`, in order and together. */
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
