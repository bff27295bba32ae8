/** A failure in the lines that a small model can use. */
import { buriedFailures } from '../../languages/given-tests.ts';
import { isTellingLine } from '../../languages/test-output.ts';
import { shortError } from '../../prompts/short-error.ts';

/** @param maxChars of what is told */
export function errorTold(output: string, maxChars: number): string {
  const failures = buriedFailures(output);
  if (failures.length === 0) return shortError(output, maxChars, isTellingLine);
  const [first = '', ...rest] = output.split('\n');
  const hints = rest.filter((line) => line.startsWith('Hint: '));
  return shortError([first, ...failures, ...hints].join('\n'), maxChars, () => true);
}
