import { nameOf } from '../functions/function.ts';
import { KEPT_FUNCTIONS } from '../functions/kept.ts';
import type { Generator } from '../generator.ts';
import { BOTH } from '../programs-made.ts';
import { SUBJECTS } from '../words.ts';
import { brokenTask, commandFor, oneModule, someFunctions } from './broken.ts';

/** Two functions of one module are wrong. */
export const twoBugs: Generator = {
  name: 'two-bugs',
  kind: 'fix',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const language = random.pick(BOTH);
    const stem = random.pick([random.pick(SUBJECTS), 'tools', 'core']);
    const samples = someFunctions(random, KEPT_FUNCTIONS, 4);
    const wrong = random.sample(samples, 2);
    const names = wrong.map((one) => nameOf(one, language)).join(' and ');
    const goal = random.pick([
      `"${commandFor(language)}" has two failures (${names}). Fix the functions. The test file is correct and must not be edited.`,
      `Some tests of this folder fail, please fix whatever is wrong in the code until ${commandFor(language)} is green`,
      `${names} do not do what their tests want. Correct them, leave everything else.`,
    ]);
    return brokenTask({ goal, ...oneModule(language, stem, samples, wrong) });
  },
};
