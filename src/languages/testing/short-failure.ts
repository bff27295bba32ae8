/** Pure: how a model is told about a failure, in the same form everywhere. */
import { failuresIn } from './given-tests.ts';
import { isInformativeLine } from './test-output.ts';

const LONGEST_LINE = 200;
/** The lines for a place and its error. */
const FIRST_LINES = 2;

/** The first failed test with what is wrong; else where the program broke, and why; none if no line tells. */
export function failureLines(output: string): readonly string[] {
  const [failure] = failuresIn(output);
  if (failure !== undefined) return [clipped(failure)];
  const telling = output.split(/\r?\n/).filter(isInformativeLine);
  return [...new Set([...telling.slice(0, FIRST_LINES), ...telling.slice(-1)])].map(clipped);
}

/** The longest output that is repeated in full, in characters. */
const SHORT = 400;

/**
 * The first two lines tell how the command ended or what a check missed; then the failure, then our remark. If no line
 * tells what failed, the end of the output.
 */
export function shortFailure(output: string): string {
  if (output.length <= SHORT) return output;
  const [first = '', second = '', ...rest] = output.split('\n');
  const hints = rest.filter((line) => line.startsWith('Hint: '));
  const found = failureLines(rest.join('\n'));
  const places = found.length > 0 ? found : [`…${rest.join('\n').trimEnd().slice(-SHORT)}`];
  return [...new Set([clipped(first), clipped(second), ...places, ...hints])].join('\n');
}

const clipped = (line: string): string =>
  line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line.trimEnd();
