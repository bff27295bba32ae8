import type { Generator } from '../generator.ts';
import { BOTH, code, type ProgramLanguage, target } from '../programs-made.ts';
import {
  keyed,
  type Names,
  namesOf,
  programOf,
  type Settings,
  settingsOf,
  situationsJudge,
} from './greeter.ts';

const READING = {
  python: (file: string): string[] => [
    'import os',
    `for line in open("${file}") if os.path.exists("${file}") else []:`,
    '    line = line.strip()',
    '    if line and not line.startswith("#"):',
    '        key, value = line.split("=", 1)',
    '        settings[key.strip()] = value.strip()',
  ],
  javascript: (file: string): string[] => [
    'const fs = require("fs");',
    `const text = fs.existsSync("${file}") ? fs.readFileSync("${file}", "utf8") : "";`,
    'for (const line of text.split("\\n").map((one) => one.trim())) {',
    '  if (line === "" || line.startsWith("#")) continue;',
    '  const at = line.indexOf("=");',
    '  settings[line.slice(0, at).trim()] = line.slice(at + 1).trim();',
    '}',
  ],
};

/** Leaves the space behind the sign where it is. */
const UNTRIMMED: { readonly [language in ProgramLanguage]: readonly [string, string] } = {
  python: ['value.strip()', 'value'],
  javascript: ['line.slice(at + 1).trim()', 'line.slice(at + 1)'],
};

const fileText = (settings: Partial<Settings>, names: Names): string =>
  code([
    `# ${names.name} = nobody`,
    '',
    ...Object.entries(keyed(settings, names)).map(([key, value]) => `${key} = ${value}`),
    `#${names.times}=9`,
  ]);

/** Settings as lines with comments between them. */
export const lines: Generator = {
  name: 'lines',
  kind: 'config',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const file = random.pick(['app.conf', 'settings.ini', '.callrc', 'setup.cfg']);
    const names = namesOf(random);
    const [defaults, other] = settingsOf(random);
    const made = target(random, random.pick(['announce', 'repeat', 'caller']));
    const list = `${names.word} = ${defaults.word}, ${names.name} = ${defaults.name}, ${names.times} = ${defaults.times}`;
    const goal = random.pick([
      `Write ${made.inWords} which prints "<${names.word}>, <${names.name}>!" on <${names.times}> lines. The three values can be set in ${file} with lines like "${names.name} = ${other.name}"; empty lines and lines that begin with # are skipped. For what is not set: ${list}.`,
      `${made.inWords} reads ${file} if it is there (KEY = VALUE per line, # starts a comment line) and prints ${names.times} times the line ${names.word}, ${names.name}! with the values filled in. Defaults: ${list}`,
    ]);
    const text = programOf(made, names, defaults, READING[made.language](file));
    const [from, to] = UNTRIMMED[made.language];
    return {
      goal,
      judge: situationsJudge(made, [
        {
          files: { [file]: fileText({ word: other.word, times: other.times }, names) },
          expected: { ...other, name: defaults.name },
        },
        { files: { [file]: null }, expected: defaults },
        { files: { [file]: fileText(other, names) }, expected: other },
      ]),
      good: { files: { [made.path]: text } },
      bad: [
        { files: { [made.path]: text.replace(from, to) } },
        { files: { [made.path]: programOf(made, names, defaults, []) } },
      ],
    };
  },
};
