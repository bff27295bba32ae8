import type { NextStep } from '../../../lib/errors.ts';
import { nextStepText } from '../../command-line/option-flags.ts';
import { oneLine } from '../text/text.ts';

/** Pure: what went wrong and what to do about it, in the same form before a run and during it. */
export interface Trouble extends NextStep {
  readonly message: string;
}

/** The message on one line, with the next step on a line of its own below it. */
export const troubleLines = ({ message, ...next }: Trouble, agent: string): readonly string[] => [
  ...(message === '' ? [] : [oneLine(message)]),
  ...(next.hint === '' ? [] : [`  Next: ${oneLine(nextStepText(next, agent))}`]),
];
