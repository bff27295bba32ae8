import type { Generator } from '../generator.ts';
import { BOTH, COMMAND, type ProgramLanguage, target } from '../programs-made.ts';
import type { Random } from '../random.ts';
import {
  keyed,
  linesFor,
  type Names,
  namesOf,
  programOf,
  type Settings,
  settingsOf,
  situationsJudge,
} from './greeter.ts';

const reading = (language: ProgramLanguage, file: string): string[] =>
  language === 'python'
    ? [
        'import json, os',
        `if os.path.exists("${file}"):`,
        `    settings.update(json.load(open("${file}")))`,
      ]
    : [
        'const fs = require("fs");',
        `if (fs.existsSync("${file}")) Object.assign(settings, JSON.parse(fs.readFileSync("${file}", "utf8")));`,
      ];

const told = ({ word, name, times }: Settings, names: Names): string =>
  `${names.word} "${word}", ${names.name} "${name}", ${names.times} ${times}`;

const json = (settings: Partial<Settings>, names: Names): string =>
  `${JSON.stringify(keyed(settings, names), null, 2)}\n`;

/** Settings in a JSON file that may be missing, whole or in part. */
export const settings: Generator = {
  name: 'settings',
  kind: 'config',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const file = random.pick(['settings.json', 'config.json', 'options.json']);
    const names = namesOf(random);
    const [defaults, other] = settingsOf(random);
    const made = target(random, random.pick(['greet', 'hail', 'shout']));
    const line = `<${names.word}>, <${names.name}>!`;
    const goal = random.pick([
      `Write ${made.inWords} that prints the line "${line}" as often as ${names.times} says. ${names.word}, ${names.name} and ${names.times} come from ${file} in the current folder. What is not in there, or everything if there is no such file, has these defaults: ${told(defaults, names)}.`,
      `${made.inWords}, please. It reads ${file} (JSON, may be missing, may lack keys; defaults: ${told(defaults, names)}) and prints ${names.word}, a comma, a space, ${names.name} and "!" on a line, as many times as "${names.times}" says. Without the file: ${linesFor(defaults)[0]}`,
    ]);
    const text = (body: readonly string[]): string => programOf(made, names, defaults, body);
    const whole = text(reading(made.language, file));
    return {
      goal,
      judge: situationsJudge(made, [
        { files: { [file]: null }, expected: defaults },
        { files: { [file]: json(other, names) }, expected: other },
        {
          files: { [file]: json({ name: other.name }, names) },
          expected: { ...defaults, name: other.name },
        },
      ]),
      good: { files: { [made.path]: whole } },
      bad: [
        { files: { [made.path]: text([]) } },
        { files: { [made.path]: whole.replace(/existsSync|exists/, 'missing') } },
      ],
    };
  },
};

const OPTIONS = {
  python: (names: Names): string[] => [
    'import sys',
    `for name in ["${names.name}", "${names.times}"]:`,
    '    if "--" + name in sys.argv:',
    '        settings[name] = sys.argv[sys.argv.index("--" + name) + 1]',
  ],
  javascript: (names: Names): string[] => [
    `for (const name of ["${names.name}", "${names.times}"]) {`,
    '  const at = process.argv.indexOf("--" + name);',
    '  if (at !== -1) settings[name] = process.argv[at + 1];',
    '}',
  ],
};

function overrideGoal(random: Random, inWords: string, command: string, parts: readonly string[]) {
  const [line = '', file = '', defaults = '', options = ''] = parts;
  return random.pick([
    `Make ${inWords} that prints "${line}" several times. Its values come from the options ${options}, else from ${file} (JSON, it need not be there), else they are ${defaults}. An option always wins over the file. Call: ${command}`,
    `I need ${inWords}: it prints ${line}, as many times as told. Defaults are ${defaults}. A file ${file} may set other values, and ${options} on the command line come before both.`,
  ]);
}

/** Options of the command line before the file, the file before the defaults. */
export const override: Generator = {
  name: 'override',
  kind: 'config',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const file = random.pick(['defaults.json', 'conf.json', 'app.json']);
    const names = namesOf(random);
    const [defaults, other] = settingsOf(random);
    const made = target(random, random.pick(['call', 'cheer', 'banner']));
    const goal = overrideGoal(random, made.inWords, `${COMMAND[made.language]} ${made.path}`, [
      `<${names.word}>, <${names.name}>!`,
      file,
      told(defaults, names),
      `--${names.name} VALUE and --${names.times} VALUE`,
    ]);
    const text = (body: readonly string[]): string => programOf(made, names, defaults, body);
    const [fromFile, fromOptions] = [reading(made.language, file), OPTIONS[made.language](names)];
    const args = [`--${names.name}`, 'Ottilie', `--${names.times}`, '2'];
    return {
      goal,
      judge: situationsJudge(made, [
        { files: { [file]: null }, expected: defaults },
        { files: { [file]: json(other, names) }, expected: other },
        {
          files: { [file]: json(other, names) },
          how: { args },
          expected: { ...other, name: 'Ottilie', times: 2 },
        },
      ]),
      good: { files: { [made.path]: text([...fromFile, ...fromOptions]) } },
      bad: [
        { files: { [made.path]: text([...fromOptions, ...fromFile]) } },
        { files: { [made.path]: text(fromFile) } },
      ],
    };
  },
};
