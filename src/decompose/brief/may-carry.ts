import { LANGUAGES } from '../../languages/languages.ts';
import { markedTexts } from './quotation-marks.ts';

/**
 * True if a brief could find evidence in the goal: it contains a value, more than one line, or a program call
 * with text after it. For other goals no entry of a model would count. Pure; it interprets no words.
 */
export const mayCarry = (goal: string): boolean =>
  /[\p{N}(]/u.test(goal) ||
  goal.trim().includes('\n') ||
  markedTexts(goal, { start: 0, end: goal.length }).length > 0 ||
  saysMoreOfCall(goal);

const LONGEST_CALL = 8;

/** A language knows which words run a file. If the call ends the goal, the goal says nothing more of it. */
function saysMoreOfCall(goal: string): boolean {
  const words = goal.trim().split(/\s+/u);
  return words.some((_, at) => {
    const from = words.slice(at, Math.min(at + LONGEST_CALL, words.length - 1));
    return LANGUAGES.some(({ runs }) =>
      runs?.filesRunBy?.(from).some((file) => from.includes(file)),
    );
  });
}
