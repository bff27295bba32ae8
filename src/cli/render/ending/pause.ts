import { adviceIn, type NextStep } from '../../../lib/errors.ts';
import type { TurnStatus } from '../../../schema/model/turn.ts';
import type { Paused } from '../../../schema/state.ts';
import { isLimit, nextStepText } from '../../command-line/option-flags.ts';
import { fill } from '../text/fold.ts';
import { inLine, oneLine } from '../text/text.ts';
import { pauseWords } from './trouble.ts';

/** Pure: the one way to report a pause: why, what to do first, and the commands that continue. */
export interface Pause {
  readonly paused: Paused;
  readonly goal: string;
  /** How the last request ended. */
  readonly last: { readonly status: TurnStatus } | null;
  /** Whole commands, each with its purpose; the first is the usual one. Never cut. */
  readonly ways: readonly Way[];
  /** The name by which the program was started. */
  readonly agent: string;
}

export interface Way {
  readonly name: string;
  readonly command: string;
}

/** The caller prints the headline, because it is coloured. */
export const pauseHead = ({ paused, last }: Pick<Pause, 'paused' | 'last'>): string =>
  `Paused: ${isSelfExplanatory(paused) ? oneLine(paused.detail) : pauseWords(paused, last)}`;

/** The name of the interruption says everything. */
export const isSelfExplanatory = ({ why, detail }: Pick<Paused, 'why' | 'detail'>): boolean =>
  why === 'interrupted' && detail !== '';

export function pauseLines({ paused, goal, ways, agent }: Pause, width: number): readonly string[] {
  const next = nextStepText(nextOf(paused), agent);
  const body = [
    ...(paused.detail === '' || isSelfExplanatory(paused) ? [] : [oneLine(paused.detail)]),
    ...(next === '' ? [] : [`Next: ${oneLine(next)}`]),
    `Goal: ${oneLine(goal)}`,
  ];
  const column = Math.max(...ways.map(({ name }) => name.length));
  return [
    ...body.flatMap((line) => fill(line, width - 2).map((part) => `  ${part}`)),
    // On one line of any length, so that it can be copied.
    ...ways.map(({ name, command }) => `  ${`${name}:`.padEnd(column + 1)} ${inLine(command)}`),
  ];
}

/** No hint for a limit: the command already names the limit to raise. */
export const nextOf = (paused: Paused): NextStep =>
  isLimit(paused.option) ? { hint: '' } : { hint: paused.hint ?? '', ...adviceIn(paused) };
