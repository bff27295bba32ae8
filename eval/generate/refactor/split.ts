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
import { KEPT_FUNCTIONS } from '../functions/kept.ts';
import type { Files, Generator } from '../generator.ts';
import { all } from '../look.ts';
import { BOTH, named, type ProgramLanguage } from '../programs-made.ts';
import { givenTestsPass } from '../tests-run.ts';
import { SUBJECTS } from '../words.ts';
import { isDefinedOnlyIn } from './code.ts';

/** The old module with one function imported from the new one, and passed on. */
function splitFiles(
  language: ProgramLanguage,
  [old, fresh]: readonly [string, string],
  moved: Sample,
  staying: readonly Sample[],
): Files {
  const name = nameOf(moved, language);
  const rest = moduleText(
    {
      imports: [
        language === 'python'
          ? `from ${fresh} import ${name}`
          : `const { ${name} } = require('./${fresh}.js');`,
      ],
      samples: staying,
    },
    language,
  );
  return {
    [named(language, old)]: rest.replace('module.exports = {', `module.exports = { ${name},`),
    [named(language, fresh)]: moduleText({ samples: [moved] }, language),
  };
}

/** One function of a module moves to a file of its own; whoever uses the module notices nothing. */
export const split: Generator = {
  name: 'split',
  kind: 'refactor',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const language = random.pick(BOTH);
    const stems = random.pick([
      [random.pick(SUBJECTS), 'parts'],
      ['everything', 'details'],
      ['toolkit', 'special'],
    ] as const);
    const samples = someFunctions(random, KEPT_FUNCTIONS, 4);
    const [moved, ...staying] = samples as [Sample, ...Sample[]];
    const name = nameOf(moved, language);
    const [path, fresh] = [named(language, stems[0]), named(language, stems[1])];
    const test = testPath(stems[0], language);
    const given = {
      [path]: moduleText({ samples }, language),
      [test]: testText(stems[0], samples, language),
    };
    const goal = random.pick([
      `Move ${name} out of ${path} into a new file ${fresh}. Everybody who gets it from ${path} must still get it there; ${commandFor(language)} passes before and after.`,
      `${path} is getting long: put ${name} into ${fresh} and let ${path} import it from there and pass it on, so that the tests pass unchanged`,
    ]);
    const right = splitFiles(language, stems, moved, staying);
    return {
      goal,
      given,
      mayChange: [path],
      mayShrink: [path],
      needs: language === 'python' ? ['python', 'pytest'] : [],
      judge: (evidence) =>
        all([
          () => isDefinedOnlyIn(evidence, name, fresh),
          () => callsAnswer(evidence, fresh, callsOf(moved, language)),
          () =>
            callsAnswer(
              evidence,
              path,
              samples.flatMap((one) => callsOf(one, language)),
            ),
          () => givenTestsPass(evidence, given, [test]),
        ]),
      good: { files: right },
      bad: [
        { files: { [fresh]: right[fresh] ?? '' } },
        { files: { ...right, [path]: moduleText({ samples: staying }, language) } },
      ],
    };
  },
};
