import { missed, type Verdict } from '../../goal.ts';
import { someFunctions } from '../fix/broken.ts';
import { exampleOf, moduleText, nameOf, signatureOf } from '../functions/function.ts';
import { OPEN_FUNCTIONS } from '../functions/open.ts';
import type { Generator } from '../generator.ts';
import { expectThat, hasWord, read } from '../look.ts';
import { BOTH, code, named } from '../programs-made.ts';
import { SUBJECTS } from '../words.ts';
import { inventedCalls } from './texts.ts';

/** Ordinary things of the languages that an example may call. */
const ORDINARY =
  'print require import log console len list str int round sum max min main map float range join test assert equal strictEqual'.split(
    ' ',
  );

function judgeReadme(text: string | null, module: string, names: readonly string[]): Verdict {
  if (text === null) return missed('there is no README.md');
  if (!/^# \S/m.test(text)) return missed('it has no heading');
  if (!hasWord(text, module)) return missed(`it does not name ${module}`);
  const absent = names.find((name) => !hasWord(text, name));
  if (absent !== undefined) return missed(`it does not name ${absent}`);
  const invented = inventedCalls(text, [...names, ...ORDINARY]);
  const words = text.split(/\s+/).length;
  if (words < 8 * names.length) return missed(`${words} words describe nothing`);
  return expectThat(invented.length === 0, `there is no ${invented.join(', no ')}`);
}

/** Describes the functions of a given module. */
export const readme: Generator = {
  name: 'readme',
  kind: 'document',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const language = random.pick(BOTH);
    const stem = random.pick([random.pick(SUBJECTS), 'toolbox', 'figures']);
    const samples = someFunctions(random, OPEN_FUNCTIONS, 3);
    const path = named(language, stem);
    const names = samples.map((one) => nameOf(one, language));
    const goal = random.pick([
      `Write a README.md for ${path}: a heading, what the module is for, and every function with what it does and an example.`,
      `${path} needs documentation. Put it into README.md, with all functions of the module and how to call them. Do not change the code.`,
      `document the functions of ${path} in README.md`,
    ]);
    const entry = (at: number): string => {
      const one = samples[at];
      if (one === undefined) return '';
      return `- \`${signatureOf(one, language)}\` ${one.does}. ${exampleOf(one, language)}.`;
    };
    const text = (list: readonly string[]): string =>
      code([`# ${stem}`, '', `\`${path}\` is a module of small functions.`, '', ...list]);
    return {
      goal,
      given: { [path]: moduleText({ samples }, language) },
      judge: async (evidence) => judgeReadme(read(evidence, 'README.md'), path, names),
      good: { files: { 'README.md': text([entry(0), entry(1), entry(2)]) } },
      bad: [
        { files: { 'README.md': text([entry(0), entry(1)]) } },
        {
          files: {
            'README.md': text([
              entry(0),
              entry(1),
              entry(2),
              '- `load_everything(path)` loads all.',
            ]),
          },
        },
      ],
    };
  },
};
