import { someFunctions } from '../fix/broken.ts';
import { moduleText, nameOf } from '../functions/function.ts';
import { OPEN_FUNCTIONS } from '../functions/open.ts';
import type { Generator } from '../generator.ts';
import { BOTH, code, named } from '../programs-made.ts';
import { SERVICES } from '../words.ts';
import { answers } from './answers.ts';

/** In which of several files something is defined, and what value a constant has. */
export const where: Generator = {
  name: 'where',
  kind: 'question',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const language = random.pick(BOTH);
    const samples = someFunctions(random, OPEN_FUNCTIONS, 3);
    const stems = random.sample(SERVICES, 3);
    const constant = random.pick(['MAX_ITEMS', 'LIMIT', 'PAGE_SIZE']);
    const values = random.sample(
      Array.from({ length: 60 }, (_, at) => at + 11),
      3,
    );
    const paths = stems.map((stem) => named(language, stem));
    const files = samples.map((sample, at) =>
      code([
        language === 'python'
          ? `${constant} = ${values[at]}\n\n`
          : `const ${constant} = ${values[at]};\n`,
        moduleText({ samples: [sample] }, language).trimEnd(),
      ]),
    );
    const at = random.int(0, 2);
    const sample = samples[at] as (typeof samples)[number];
    const name = nameOf(sample, language);
    const goal = random.pick([
      `In which file is ${name} defined, and what is ${constant} there?`,
      `Where do I find the function ${name}? And which value has ${constant} in that file?`,
      `tell me the file that has ${name} in it and the value of its ${constant}`,
    ]);
    const [path = '', other = ''] = [paths[at], paths[(at + 1) % 3]];
    const [value = 0, otherValue = 0] = [values[at], values[(at + 1) % 3]];
    return {
      goal,
      given: Object.fromEntries(paths.map((one, index) => [one, files[index] ?? ''])),
      judge: answers({
        words: [stems[at] ?? ''],
        figures: [value],
        not: stems.filter((_, index) => index !== at),
        notFigures: values.filter((_, index) => index !== at),
      }),
      good: { answer: `${name} is in ${path}, where ${constant} is ${value}.` },
      bad: [
        { answer: `${name} is in ${path}, where ${constant} is ${otherValue}.` },
        { answer: `${name} stands in ${other}; ${constant} is ${value}.` },
      ],
    };
  },
};
