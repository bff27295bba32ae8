/** Answers to questions: what must be in them, and what must not. */
import { type Evidence, missed, reached, type Verdict } from '../../goal.ts';
import { hasFigure, hasWord } from '../look.ts';

export interface Expected {
  readonly words?: readonly string[];
  readonly figures?: readonly number[];
  /** Other things that one could answer. */
  readonly not?: readonly string[];
  readonly notFigures?: readonly number[];
}

export const answers =
  ({ words = [], figures = [], not = [], notFigures = [] }: Expected) =>
  async ({ answer }: Evidence): Promise<Verdict> => {
    if (answer === null) return missed('there is no answer');
    const word = words.find((one) => !hasWord(answer, one));
    if (word !== undefined) return missed(`${word} is not in the answer`);
    const figure = figures.find((one) => !hasFigure(answer, one));
    if (figure !== undefined) return missed(`${figure} is not in the answer`);
    const wrong = not.find((one) => hasWord(answer, one));
    if (wrong !== undefined) return missed(`${wrong} is in the answer`);
    const wrongFigure = notFigures.find((one) => hasFigure(answer, one));
    if (wrongFigure !== undefined) return missed(`${wrongFigure} is in the answer`);
    return reached('the answer is right');
  };
