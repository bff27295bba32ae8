/** Code with a bug under tests that were given. */
import { type Call, callsAnswer } from '../calls.ts';
import {
  callsOf,
  type MakeSample,
  madeForCases,
  moduleText,
  type Sample,
  testPath,
  testText,
  withItsBug,
} from '../functions/function.ts';
import type { Files, Task } from '../generator.ts';
import { all } from '../look.ts';
import { named, type ProgramLanguage } from '../programs-made.ts';
import type { Random } from '../random.ts';
import { givenTestsPass } from '../tests-run.ts';

export const someFunctions = (random: Random, pool: readonly MakeSample[], count: number) =>
  random.sample(pool, count).map((make) => make(random));

/** The module with some of its functions wrong, right, or made for the given tests only. */
export function stages(
  language: ProgramLanguage,
  samples: readonly Sample[],
  wrong: readonly Sample[],
  imports: readonly string[] = [],
) {
  const text = (change: (sample: Sample) => Sample): string =>
    moduleText(
      { imports, samples: samples.map((one) => (wrong.includes(one) ? change(one) : one)) },
      language,
    );
  return {
    broken: text((one) => withItsBug(one, language)),
    right: text((one) => one),
    forTests: text((one) => madeForCases(withItsBug(one, language), language, 2)),
  };
}

export interface Broken {
  readonly goal: string;
  readonly language: ProgramLanguage;
  readonly given: Files;
  readonly tests: readonly string[];
  /** The file in which the bug is. */
  readonly culprit: string;
  readonly right: string;
  readonly forTests: string;
  readonly calls: readonly { readonly path: string; readonly calls: readonly Call[] }[];
}

export const commandFor = (language: ProgramLanguage): string =>
  language === 'python' ? 'python -m pytest' : 'node --test';

/** The tests as they were pass, and the oracle's own cases too. */
export function brokenTask(broken: Broken): Task {
  const { goal, given, tests, culprit, right, forTests, calls } = broken;
  const [test = ''] = tests;
  const emptied = broken.language === 'python' ? 'def test_it():\n    assert True\n' : '';
  return {
    goal,
    given,
    mayChange: Object.keys(given).filter((path) => !tests.includes(path)),
    needs: broken.language === 'python' ? ['python', 'pytest'] : [],
    judge: (evidence) =>
      all([
        ...calls.map((one) => () => callsAnswer(evidence, one.path, one.calls)),
        () => givenTestsPass(evidence, given, tests),
      ]),
    good: { files: { [culprit]: right } },
    bad: [{ files: { [culprit]: forTests } }, { files: { [culprit]: right, [test]: emptied } }],
  };
}

export function oneModule(
  language: ProgramLanguage,
  stem: string,
  samples: readonly Sample[],
  wrong: readonly Sample[],
) {
  const { broken, right, forTests } = stages(language, samples, wrong);
  const path = named(language, stem);
  const test = testPath(stem, language);
  return {
    language,
    given: { [path]: broken, [test]: testText(stem, samples, language) },
    tests: [test],
    culprit: path,
    right,
    forTests,
    calls: [{ path, calls: samples.flatMap((sample) => callsOf(sample, language)) }],
  };
}
