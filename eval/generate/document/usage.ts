import { missed, reached, type Verdict } from '../../goal.ts';
import type { Generator } from '../generator.ts';
import { hasFigure, linesOf, read } from '../look.ts';
import { BOTH, code, named, type ProgramLanguage } from '../programs-made.ts';
import type { Random } from '../random.ts';
import { SERVICES } from '../words.ts';

interface Option {
  readonly flag: string;
  readonly value: number;
}

const FLAGS = ['width', 'depth', 'limit', 'delay', 'batch', 'margin', 'retries', 'port'] as const;

const PROGRAMS: {
  readonly [language in ProgramLanguage]: (options: readonly Option[]) => string;
} = {
  python: (options) =>
    code([
      'import argparse',
      '',
      'parser = argparse.ArgumentParser()',
      'parser.add_argument("source")',
      ...options.map(
        ({ flag, value }) => `parser.add_argument("--${flag}", type=int, default=${value})`,
      ),
      'print(parser.parse_args())',
    ]),
  javascript: (options) =>
    code([
      'const { parseArgs } = require("node:util");',
      '',
      'const { values, positionals } = parseArgs({',
      '  allowPositionals: true,',
      '  options: {',
      ...options.map(({ flag, value }) => `    ${flag}: { type: "string", default: "${value}" },`),
      '  },',
      '});',
      'console.log("source", positionals[0], values);',
    ]),
};

function judgeUsage(text: string | null, program: string, options: readonly Option[]): Verdict {
  if (text === null) return missed('there is no USAGE.md');
  if (!text.includes(program)) return missed(`it does not name ${program}`);
  if (!/source/i.test(text)) return missed('it does not name the source');
  for (const { flag, value } of options) {
    const lines = linesOf(text).filter((line) => line.includes(`--${flag}`));
    if (lines.length === 0) return missed(`--${flag} is missing`);
    const [from] = [text.indexOf(`--${flag}`)];
    const isTold = lines.some((line) => hasFigure(line, value));
    // The default may stand in the lines below a heading.
    const below = text.slice(from, from + 300).split(/\n#/)[0] ?? '';
    if (!isTold && !hasFigure(below, value)) return missed(`--${flag} is without ${value}`);
  }
  const known = [...options.map(({ flag }) => flag), 'help'];
  const invented = [...text.matchAll(/(?<![\w-])--([a-z][\w-]*)/g)]
    .map((found) => found[1] ?? '')
    .find((flag) => !known.includes(flag));
  return invented === undefined
    ? reached('all options are described')
    : missed(`there is no --${invented}`);
}

const optionsOf = (random: Random): Option[] =>
  random.sample(FLAGS, 4).map((flag) => ({ flag, value: random.int(2, 900) }));

/** The options of a given program and their defaults. */
export const usage: Generator = {
  name: 'usage',
  kind: 'document',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const language = random.pick(BOTH);
    const program = named(language, random.pick(SERVICES));
    const options = optionsOf(random);
    const goal = random.pick([
      `Describe in USAGE.md how ${program} is called: its argument and all its options, each with its default.`,
      `write USAGE.md for people who want to use ${program}. all options with their default values please`,
      `Look at ${program} and document its command line in a file USAGE.md (arguments, options, defaults). The program stays as it is.`,
    ]);
    const text = (list: readonly Option[]): string =>
      code([
        `# ${program}`,
        '',
        `\`${program} source [options]\``,
        '',
        ...list.map(({ flag, value }) => `- \`--${flag} NUMBER\` (default ${value})`),
      ]);
    return {
      goal,
      given: { [program]: PROGRAMS[language](options) },
      judge: async (evidence) => judgeUsage(read(evidence, 'USAGE.md'), program, options),
      good: { files: { 'USAGE.md': text(options) } },
      bad: [
        { files: { 'USAGE.md': text(options.slice(1)) } },
        { files: { 'USAGE.md': text([...options, { flag: 'verbose', value: 0 }]) } },
        {
          files: {
            'USAGE.md': text(options.map(({ flag, value }) => ({ flag, value: value + 1000 }))),
          },
        },
      ],
    };
  },
};
