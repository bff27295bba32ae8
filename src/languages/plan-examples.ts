/** The plans that show a model the form of a plan: those of the first language that has some. */
import type { Installed, PlanExamples } from './language.ts';
import { LANGUAGES } from './languages.ts';

const NONE: PlanExamples = { text: '', files: [], fileName: '' };

export const planExamples = (installed: Installed): PlanExamples =>
  LANGUAGES.map(({ runs }) => runs?.planExamples?.(installed)).find(
    (examples) => examples !== undefined,
  ) ?? NONE;
