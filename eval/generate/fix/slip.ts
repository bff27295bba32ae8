import { OPEN_FUNCTIONS } from '../functions/open.ts';
import type { Generator } from '../generator.ts';
import { SUBJECTS } from '../words.ts';
import { brokenTask, oneModule, someFunctions } from './broken.ts';

/** One of three functions of a Python module is wrong, and pytest says so. */
export const slip: Generator = {
  name: 'slip',
  kind: 'fix',
  languages: ['python'],
  kept: false,
  make: (random) => {
    const stem = random.pick([`${random.pick(SUBJECTS)}_tools`, 'helpers', 'measures']);
    const samples = someFunctions(random, OPEN_FUNCTIONS, 3);
    const goal = random.pick([
      `python -m pytest fails. Find the bug in ${stem}.py and fix it; do not touch the tests.`,
      'One of the tests here is red. Please mend the code so that all of them pass. The tests are right.',
      `Fix ${stem}.py`,
      `test_${stem}.py does not pass, there must be a mistake in ${stem}.py. Correct it without changing the test file.`,
    ]);
    return brokenTask({ goal, ...oneModule('python', stem, samples, samples.slice(1, 2)) });
  },
};
