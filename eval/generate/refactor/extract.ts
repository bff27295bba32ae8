import type { Evidence, Verdict } from '../../goal.ts';
import { callsAnswer } from '../calls.ts';
import { callsOf, functionText, moduleText, nameOf, type Sample } from '../functions/function.ts';
import { OPEN_FUNCTIONS } from '../functions/open.ts';
import type { Files, Generator } from '../generator.ts';
import { all, expectThat, play, printed, put, read, saysValue } from '../look.ts';
import { BOTH, code, named, type ProgramLanguage } from '../programs-made.ts';
import { SERVICES } from '../words.ts';
import { isDefinedOnlyIn } from './code.ts';

/** What a program says of one case, with the function in front of it or imported. */
function programText(head: string, sample: Sample, at: number, language: ProgramLanguage): string {
  const args = (sample.cases[at]?.[0] ?? []).map((arg) => JSON.stringify(arg)).join(', ');
  const call = `${nameOf(sample, language)}(${args})`;
  return `${head}\n${language === 'python' ? `print("answer:", ${call})\n` : `console.log('answer:', ${call});\n`}`;
}

const IMPORTS: { readonly [language in ProgramLanguage]: (from: string, name: string) => string } =
  {
    python: (from, name) => `from ${from} import ${name}\n`,
    javascript: (from, name) => `const { ${name} } = require('./${from}.js');\n`,
  };

/** With the shared function taken away no program can go on as before. */
async function bothUse(evidence: Evidence, shared: string, programs: Files): Promise<Verdict> {
  const text = read(evidence, shared) ?? '';
  put(evidence, { [shared]: '' });
  const runs = await Promise.all(Object.keys(programs).map((path) => play(evidence, path)));
  put(evidence, { [shared]: text });
  return expectThat(
    runs.every(({ exitCode }) => exitCode !== 0),
    `a program does without ${shared}`,
  );
}

/** A function that stands in two programs moves to a module that both import. */
export const extract: Generator = {
  name: 'extract',
  kind: 'refactor',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const language = random.pick(BOTH);
    const sample = random.pick(OPEN_FUNCTIONS)(random);
    const name = nameOf(sample, language);
    const [one, two] = random.sample(SERVICES, 2).map((stem) => named(language, stem)) as [
      string,
      string,
    ];
    const stem = random.pick(['shared', 'common', 'util']);
    const shared = named(language, stem);
    const own = functionText(sample, language);
    const imported = IMPORTS[language](stem, name);
    const programs = (head: string): Files => ({
      [one]: programText(head, sample, 0, language),
      [two]: programText(head, sample, 1, language),
    });
    const given = programs(own);
    const goal = random.pick([
      `${one} and ${two} both have the function ${name}. Move it to ${shared} and import it in both. Their output stays the same.`,
      `The same function ${name} stands in two files here. Put it into a new file ${shared} that both use, without changing what the programs print.`,
    ]);
    const right = { ...programs(imported), [shared]: moduleText({ samples: [sample] }, language) };
    const answers = [0, 1].map((at) => sample.cases[at]?.[1]);
    return {
      goal,
      given,
      mayChange: [one, two],
      mayShrink: [one, two],
      judge: (evidence) =>
        all([
          () => isDefinedOnlyIn(evidence, name, shared),
          () => callsAnswer(evidence, shared, callsOf(sample, language)),
          () => printed(evidence, one, {}, (text) => saysValue(text, 'answer', answers[0])),
          () => printed(evidence, two, {}, (text) => saysValue(text, 'answer', answers[1])),
          () => bothUse(evidence, shared, given),
        ]),
      good: { files: right },
      bad: [
        { files: { [shared]: right[shared] ?? '', [one]: right[one] ?? '' } },
        { files: { ...right, [two]: code(['x = 1']) } },
      ],
    };
  },
};
