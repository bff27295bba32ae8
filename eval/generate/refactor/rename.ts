import { callsAnswer } from '../calls.ts';
import { commandFor, someFunctions } from '../fix/broken.ts';
import {
  callsOf,
  moduleText,
  nameOf,
  type Sample,
  testPath,
  testText,
} from '../functions/function.ts';
import { OPEN_FUNCTIONS } from '../functions/open.ts';
import type { Files, Generator } from '../generator.ts';
import { all, printed, put, saysValue } from '../look.ts';
import { BOTH, code, named, nameIn, type ProgramLanguage } from '../programs-made.ts';
import { givenTestsPass } from '../tests-run.ts';
import { SUBJECTS } from '../words.ts';
import { isGone } from './code.ts';

function programText(sample: Sample, stem: string, language: ProgramLanguage): string {
  const name = nameOf(sample, language);
  const args = (sample.cases[0]?.[0] ?? []).map((arg) => JSON.stringify(arg)).join(', ');
  return language === 'python'
    ? code([`from ${stem} import ${name}`, '', `print("result:", ${name}(${args}))`])
    : code([
        `const { ${name} } = require('./${stem}.js');`,
        '',
        `console.log('result:', ${name}(${args}));`,
      ]);
}

/** A function gets another name in the module, in a program that uses it and in the tests. */
export const rename: Generator = {
  name: 'rename',
  kind: 'refactor',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const language = random.pick(BOTH);
    const stem = random.pick([random.pick(SUBJECTS), 'tools', 'values']);
    const samples = someFunctions(random, OPEN_FUNCTIONS, 3);
    const [old] = samples as [Sample, ...Sample[]];
    const words = random.pick([
      ['compute', ...old.words],
      ['new', ...old.words],
      ['get', ...old.words],
    ]);
    const files = (list: readonly Sample[]): Files => ({
      [named(language, stem)]: moduleText({ samples: list }, language),
      [named(language, 'main')]: programText(list[0] ?? old, stem, language),
      [testPath(stem, language)]: testText(stem, list, language),
    });
    const changed = samples.map((one) => (one === old ? { ...old, words } : one));
    const [given, wanted] = [files(samples), files(changed)];
    const [before, now] = [nameOf(old, language), nameIn(language, words)];
    const [module = '', main = '', test = ''] = Object.keys(given);
    const goal = random.pick([
      `Rename the function ${before} to ${now}, everywhere in this folder, the tests included.`,
      `${before} in ${module} should be called ${now}. Change it wherever it is used; ${commandFor(language)} must pass afterwards.`,
    ]);
    const [value] = [old.cases[0]?.[1]];
    return {
      goal,
      given,
      mayChange: Object.keys(given),
      needs: language === 'python' ? ['python', 'pytest'] : [],
      judge: (evidence) =>
        all([
          () => isGone(evidence, before),
          () =>
            callsAnswer(
              evidence,
              module,
              changed.flatMap((one) => callsOf(one, language)),
            ),
          () => printed(evidence, main, {}, (text) => saysValue(text, 'result', value)),
          () => {
            put(evidence, { [test]: wanted[test] ?? '' });
            return givenTestsPass(evidence, wanted, [test]);
          },
        ]),
      good: { files: wanted },
      bad: [
        { files: { [module]: wanted[module] ?? '', [test]: wanted[test] ?? '' } },
        { files: { ...wanted, [main]: '' } },
      ],
    };
  },
};
