/** What a model hears of a failure: in one form, wherever it is told. Pure. */
import { failuresIn } from './given-tests.ts';
import { isInformativeLine } from './test-output.ts';

const LONGEST_LINE = 200;
/** Lines that a place takes and what is wrong there. */
const FIRST_LINES = 2;

/** The first test that failed, with what is wrong; else where the program broke, and why; none: no line tells it. */
export function failureLines(output: string): readonly string[] {
  const [failure] = failuresIn(output);
  if (failure !== undefined) return [clipped(failure)];
  const telling = output.split(/\r?\n/).filter(isInformativeLine);
  return [...new Set([...telling.slice(0, FIRST_LINES), ...telling.slice(-1)])].map(clipped);
}

/** Output that is told whole, in characters. */
const SHORT = 400;

/**
 * How the command ended or what a check missed, in its first two lines; then the failure, then what we say of it.
 * The end of the output where no line of it tells anything.
 */
export function shortFailure(output: string): string {
  if (output.length <= SHORT) return output;
  const [first = '', second = '', ...rest] = output.split('\n');
  const hints = rest.filter((line) => line.startsWith('Hint: '));
  const found = failureLines(rest.join('\n'));
  const told = found.length > 0 ? found : [`…${rest.join('\n').trimEnd().slice(-SHORT)}`];
  return [...new Set([clipped(first), clipped(second), ...told, ...hints])].join('\n');
}

const clipped = (line: string): string =>
  line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line.trimEnd();
