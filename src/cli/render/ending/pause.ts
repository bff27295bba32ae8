import { adviceIn, type RecoveryHint } from '../../../lib/errors.ts';
import type { TurnStatus } from '../../../schema/model/turn.ts';
import type { Paused } from '../../../schema/state.ts';
import { pauseWords } from '../../../shown/turns.ts';
import { isLimit, nextStepText } from '../../command-line/option-flags.ts';
import { fill } from '../text/fold.ts';
import { inLine, oneLine } from '../text/text.ts';

/** Pure: the headline of a pause. @param last how the last request ended */
export const pauseHead = (paused: Paused, last: { readonly status: TurnStatus } | null): string =>
  `Paused: ${isSelfExplanatory(paused) ? oneLine(paused.detail) : pauseWords(paused, last)}`;

/** The name of the interruption says everything. */
export const isSelfExplanatory = ({ why, detail }: Pick<Paused, 'why' | 'detail'>): boolean =>
  why === 'interrupted' && detail !== '';

interface WayOn {
  readonly goal: string;
  readonly resume: string;
  /** The name by which the program was started. */
  readonly agent: string;
}

/** Why, what to do first, and the command that continues. */
export function pauseLines(
  paused: Paused,
  { goal, resume, agent }: WayOn,
  width: number,
): readonly string[] {
  const next = nextStepText(nextOf(paused), agent);
  const body = [
    ...(paused.detail === '' || isSelfExplanatory(paused) ? [] : [oneLine(paused.detail)]),
    ...(next === '' ? [] : [`Next: ${oneLine(next)}`]),
    `Goal: ${oneLine(goal)}`,
  ];
  return [
    ...body.flatMap((line) => fill(line, width - 2).map((part) => `  ${part}`)),
    // On one line of any length, so that it can be copied.
    `  Resume: ${inLine(resume)}`,
  ];
}

/** No hint for a limit: the command already names the limit to raise. */
export const nextOf = (paused: Paused): RecoveryHint =>
  isLimit(paused.option) ? { hint: '' } : { hint: paused.hint ?? '', ...adviceIn(paused) };
