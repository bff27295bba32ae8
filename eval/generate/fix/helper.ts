import { callsOf, nameOf, testPath, testText } from '../functions/function.ts';
import { KEPT_FUNCTIONS } from '../functions/kept.ts';
import type { Generator } from '../generator.ts';
import { BOTH, code, named } from '../programs-made.ts';
import { SUBJECTS } from '../words.ts';
import { brokenTask, commandFor, someFunctions, stages } from './broken.ts';

/** The tests call one module, the bug is in another that it imports. */
export const helper: Generator = {
  name: 'helper',
  kind: 'fix',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const language = random.pick(BOTH);
    const [front, back] = random.pick([
      [random.pick(SUBJECTS), 'helpers'],
      ['service', 'rules'],
      ['front', 'detail'],
    ] as const);
    const samples = someFunctions(random, KEPT_FUNCTIONS, 3);
    const [first] = samples;
    const { broken, right, forTests } = stages(language, samples, samples.slice(0, 1));
    const names = samples.map((one) => nameOf(one, language)).join(', ');
    const passed =
      language === 'python'
        ? code([
            `from ${back} import ${names}`,
            '',
            `__all__ = ${JSON.stringify(names.split(', '))}`,
          ])
        : code([
            `const { ${names} } = require('./${back}.js');`,
            '',
            `module.exports = { ${names} };`,
          ]);
    const [path, culprit] = [named(language, front), named(language, back)];
    const test = testPath(front, language);
    const goal = random.pick([
      `The tests of ${path} fail. Find out why and fix it (not in the tests).`,
      `${commandFor(language)} reports that ${first === undefined ? '' : nameOf(first, language)} is wrong. Fix the bug.`,
      `something is broken in ${path} or in what it uses, ${test} shows it. repair the code, please`,
    ]);
    return brokenTask({
      goal,
      language,
      given: {
        [path]: passed,
        [culprit]: broken,
        [test]: testText(front, samples, language),
      },
      tests: [test],
      culprit,
      right,
      forTests,
      calls: [{ path, calls: samples.flatMap((sample) => callsOf(sample, language)) }],
    });
  },
};
