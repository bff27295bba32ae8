import { type Call, callsAnswer } from '../calls.ts';
import type { Generator } from '../generator.ts';
import { put } from '../look.ts';
import { BOTH, code, named, nameIn, type ProgramLanguage } from '../programs-made.ts';
import { SERVICES } from '../words.ts';

const PROGRAMS: {
  readonly [language in ProgramLanguage]: (load: string, defaults: string) => string;
} = {
  python: (load, defaults) =>
    code([
      'import copy, json, os',
      '',
      `DEFAULTS = ${defaults}`,
      '',
      '',
      `def ${load}(path):`,
      '    settings = copy.deepcopy(DEFAULTS)',
      '    if os.path.exists(path):',
      '        for key, value in json.load(open(path)).items():',
      '            if isinstance(value, dict):',
      '                settings[key] = {**settings.get(key, {}), **value}',
      '            else:',
      '                settings[key] = value',
      '    return settings',
    ]),
  javascript: (load, defaults) =>
    code([
      'const fs = require("fs");',
      '',
      `const DEFAULTS = ${defaults};`,
      '',
      `function ${load}(path) {`,
      '  const settings = structuredClone(DEFAULTS);',
      '  if (!fs.existsSync(path)) return settings;',
      '  for (const [key, value] of Object.entries(JSON.parse(fs.readFileSync(path, "utf8")))) {',
      '    settings[key] = typeof value === "object" ? { ...settings[key], ...value } : value;',
      '  }',
      '  return settings;',
      '}',
      '',
      `module.exports = { ${load} };`,
    ]),
};

const FLAT: { readonly [language in ProgramLanguage]: readonly [string, string] } = {
  python: ['{**settings.get(key, {}), **value}', 'value'],
  javascript: ['{ ...settings[key], ...value }', 'value'],
};

/** A function that loads settings in two levels over defaults. */
export const loader: Generator = {
  name: 'loader',
  kind: 'config',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const language = random.pick(BOTH);
    const stem = random.pick(['config', 'settings', 'options']);
    const load = nameIn(language, ['load', stem]);
    const service = random.pick(SERVICES);
    const [port, other] = [random.int(2000, 4999), random.int(5000, 9000)];
    const limit = random.int(5, 60);
    const defaults = {
      title: service,
      server: { host: 'localhost', port },
      limits: { size: limit, count: limit * 2 },
    };
    const path = named(language, stem);
    const goal = random.pick([
      `Write ${path} with a function ${load}(path). It reads a JSON file and returns the settings as ${language === 'python' ? 'a dict' : 'an object'}. Defaults: ${JSON.stringify(defaults)}. The file's values win, also single ones within server and limits (the others there keep their defaults). If the file does not exist the defaults are returned.`,
      `A settings loader, please: ${load}(path) in ${path}. These are the defaults:\n${JSON.stringify(defaults, null, 2)}\nA JSON file at path may override any of them, for instance only {"server": {"port": ${other}}}, which leaves host and everything else as it is. No file: just the defaults.`,
    ]);
    const call = (file: string, value: unknown): Call => ({
      expression: `m.${load}("${file}")`,
      value,
    });
    const text = PROGRAMS[language](load, JSON.stringify(defaults));
    const [from, to] = FLAT[language];
    const calls = [
      call('part.json', { ...defaults, server: { host: 'localhost', port: other } }),
      call('missing.json', defaults),
      call('title.json', { ...defaults, title: 'x', limits: { size: 1, count: limit * 2 } }),
      call('missing.json', defaults),
    ];
    return {
      goal,
      judge: (evidence) => {
        put(evidence, {
          'part.json': JSON.stringify({ server: { port: other } }),
          'title.json': JSON.stringify({ title: 'x', limits: { size: 1 } }),
          'missing.json': null,
        });
        return callsAnswer(evidence, path, calls);
      },
      good: { files: { [path]: text } },
      bad: [
        { files: { [path]: text.replace(from, to) } },
        {
          files: {
            [path]: text
              .replace('copy.deepcopy(DEFAULTS)', '{}')
              .replace('structuredClone(DEFAULTS)', '{}'),
          },
        },
      ],
    };
  },
};
