import { nameOf } from '../functions/function.ts';
import { OPEN_FUNCTIONS } from '../functions/open.ts';
import type { Generator } from '../generator.ts';
import { SUBJECTS } from '../words.ts';
import { brokenTask, oneModule, someFunctions } from './broken.ts';

/** The same in JavaScript, under node --test. */
export const nodeSlip: Generator = {
  name: 'node-slip',
  kind: 'fix',
  languages: ['javascript'],
  kept: false,
  make: (random) => {
    const stem = random.pick([`${random.pick(SUBJECTS)}-tools`, 'helpers', 'lib']);
    const samples = someFunctions(random, OPEN_FUNCTIONS, 3);
    const wrong = random.pick(samples);
    const goal = random.pick([
      `node --test shows a failure. Fix the code in ${stem}.js, the tests stay as they are.`,
      `${nameOf(wrong, 'javascript')} in ${stem}.js gives wrong answers, see ${stem}.test.js. Repair it.`,
      'The tests fail since yesterday. Make them pass again by fixing the bug, not by editing tests.',
    ]);
    return brokenTask({ goal, ...oneModule('javascript', stem, samples, [wrong]) });
  },
};
