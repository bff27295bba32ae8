/** Small functions in two languages, each with what it must answer and a bug that one could write. Pure. */
import type { Call } from '../calls.ts';
import { capital, code, nameIn, type ProgramLanguage } from '../programs-made.ts';
import type { Random } from '../random.ts';

export interface Sample {
  /** The words of its name. */
  readonly words: readonly string[];
  readonly parameters: readonly string[];
  /** Follows the name in a goal: "returns …". */
  readonly does: string;
  readonly body: { readonly [language in ProgramLanguage]: readonly string[] };
  /** A piece of the body and what the bug makes of it. */
  readonly bug: { readonly [language in ProgramLanguage]: readonly [from: string, to: string] };
  /** With the bug the first and the third are answered wrong. */
  readonly cases: readonly (readonly [args: readonly unknown[], value: unknown])[];
}

export type MakeSample = (random: Random) => Sample;

export const nameOf = ({ words }: Sample, language: ProgramLanguage): string =>
  nameIn(language, words);

export function functionText(
  sample: Sample,
  language: ProgramLanguage,
  body: readonly string[] = sample.body[language],
): string {
  const head = `${nameOf(sample, language)}(${sample.parameters.join(', ')})`;
  return language === 'python'
    ? code([`def ${head}:`, ...body.map((line) => `    ${line}`)])
    : code([`function ${head} {`, ...body.map((line) => `  ${line}`), '}']);
}

export function withItsBug(sample: Sample, language: ProgramLanguage): Sample {
  const [from, to] = sample.bug[language];
  const body = sample.body[language].map((line) => line.replace(from, to));
  if (body.join() === sample.body[language].join()) throw new Error(`no ${from} in the body`);
  return { ...sample, body: { ...sample.body, [language]: body } };
}

/** Answers these cases only; else as it was. */
export function madeForCases(sample: Sample, language: ProgramLanguage, count: number): Sample {
  const special = sample.cases.slice(0, count).map(([args, value]) => {
    const [seen, wanted] = [JSON.stringify(args), JSON.stringify(value)];
    return language === 'python'
      ? `if [${sample.parameters.join(', ')}] == ${seen}: return ${wanted}`
      : `if (JSON.stringify([${sample.parameters.join(', ')}]) === ${JSON.stringify(seen)}) return ${wanted};`;
  });
  const body = [...special, ...sample.body[language]];
  return { ...sample, body: { ...sample.body, [language]: body } };
}

export interface ModuleText {
  readonly imports?: readonly string[];
  readonly samples: readonly Sample[];
}

/** A module of these functions; JavaScript exports them as CommonJS does. */
export function moduleText({ imports = [], samples }: ModuleText, language: ProgramLanguage) {
  const functions = samples.map((sample) => functionText(sample, language));
  const exported =
    language === 'python'
      ? []
      : [`module.exports = { ${samples.map((one) => nameOf(one, language)).join(', ')} };\n`];
  const head = imports.length === 0 ? [] : [code(imports)];
  return [...head, ...functions, ...exported].join(language === 'python' ? '\n\n' : '\n');
}

const literals = (args: readonly unknown[]): string =>
  args.map((arg) => JSON.stringify(arg)).join(', ');

export const callsOf = (
  sample: Sample,
  language: ProgramLanguage,
  from = 0,
  to = sample.cases.length,
): Call[] =>
  sample.cases.slice(from, to).map(([args, value]) => ({
    expression: `m.${nameOf(sample, language)}(${literals(args)})`,
    value,
  }));

/** `fee_for(3) gives 40` */
export function exampleOf(sample: Sample, language: ProgramLanguage, at = 0): string {
  const [args, value] = sample.cases[at] ?? [[], null];
  return `${nameOf(sample, language)}(${literals(args)}) gives ${JSON.stringify(value)}`;
}

export const signatureOf = (sample: Sample, language: ProgramLanguage): string =>
  `${nameOf(sample, language)}(${sample.parameters.join(', ')})`;

/** A test file with the first `count` cases of each function, for pytest or node --test. */
export function testText(
  from: string,
  samples: readonly Sample[],
  language: ProgramLanguage,
  count = 2,
): string {
  const names = samples.map((sample) => nameOf(sample, language)).join(', ');
  const checks = samples.map((sample) => {
    const name = nameOf(sample, language);
    const lines = sample.cases
      .slice(0, count)
      .map(([args, value]) =>
        language === 'python'
          ? `    assert ${name}(${literals(args)}) == ${JSON.stringify(value)}`
          : `  assert.deepStrictEqual(${name}(${literals(args)}), ${JSON.stringify(value)});`,
      );
    return language === 'python'
      ? code([`def test_${name}():`, ...lines])
      : code([`test('${name}', () => {`, ...lines, '});']);
  });
  return language === 'python'
    ? [`from ${from} import ${names}\n`, ...checks].join('\n\n')
    : [
        code([
          "const test = require('node:test');",
          "const assert = require('node:assert');",
          `const { ${names} } = require('./${from}.js');`,
        ]),
        ...checks,
      ].join('\n');
}

export const testPath = (stem: string, language: ProgramLanguage): string =>
  language === 'python' ? `test_${stem}.py` : `${stem}.test.js`;

export const className = (words: readonly string[]): string => words.map(capital).join('');
