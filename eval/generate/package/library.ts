import { type Evidence, missed, reached, type Verdict } from '../../goal.ts';
import { callsAnswer } from '../calls.ts';
import {
  callsOf,
  exampleOf,
  functionText,
  moduleText,
  nameOf,
  type Sample,
  signatureOf,
  withItsBug,
} from '../functions/function.ts';
import { OPEN_FUNCTIONS } from '../functions/open.ts';
import type { Files, Generator, Task } from '../generator.ts';
import { all, expectThat, read } from '../look.ts';
import { code, type ProgramLanguage } from '../programs-made.ts';
import type { Random } from '../random.ts';
import { ADJECTIVES, SUBJECTS } from '../words.ts';

interface Plan {
  readonly name: string;
  readonly version: string;
  readonly samples: readonly [Sample, Sample];
  readonly files: readonly [string, string];
}

function planOf(random: Random, separator: string): Plan {
  const [one, two] = random.sample(OPEN_FUNCTIONS, 2).map((make) => make(random)) as [
    Sample,
    Sample,
  ];
  return {
    name: `${random.pick(ADJECTIVES)}${separator}${random.pick(SUBJECTS)}`,
    version: `${random.int(0, 3)}.${random.int(1, 9)}.${random.int(0, 9)}`,
    samples: [one, two],
    files: random.pick([
      ['first', 'second'],
      ['basics', 'extras'],
      ['core', 'more'],
    ] as const),
  };
}

const told = (sample: Sample, language: ProgramLanguage): string =>
  `${signatureOf(sample, language)} ${sample.does} (${exampleOf(sample, language)})`;

const areThere = (evidence: Evidence, paths: readonly string[]): Verdict => {
  const absent = paths.find((path) => read(evidence, path) === null);
  return absent === undefined ? reached('all files are there') : missed(`there is no ${absent}`);
};

function pythonFiles({ name, version, samples, files }: Plan): Files {
  const imports = samples.map((one, at) => `from .${files[at]} import ${nameOf(one, 'python')}`);
  return {
    [`${name}/__init__.py`]: code([...imports, '', `__version__ = "${version}"`]),
    [`${name}/${files[0]}.py`]: functionText(samples[0], 'python'),
    [`${name}/${files[1]}.py`]: functionText(samples[1], 'python'),
  };
}

/** A Python package of two modules whose functions can be imported from the package. */
export const library: Generator = {
  name: 'library',
  kind: 'package',
  languages: ['python'],
  kept: false,
  make: (random): Task => {
    const plan = planOf(random, '');
    const { name, version, samples, files } = plan;
    const [one, two] = samples.map((sample) => told(sample, 'python'));
    const names = samples.map((sample) => nameOf(sample, 'python')).join(', ');
    const goal = random.pick([
      `Create a Python package ${name} with two modules. ${name}/${files[0]}.py: ${one}. ${name}/${files[1]}.py: ${two}. "from ${name} import ${names}" has to work, and ${name}.__version__ is "${version}".`,
      `Make a package ${name} (Python, version ${version} in __version__). It has the modules ${files[0]} and ${files[1]}; ${files[0]} holds ${one}, ${files[1]} holds ${two}. Both can be imported right from ${name}.`,
    ]);
    const right = pythonFiles(plan);
    const calls = [
      ...samples.flatMap((sample) => callsOf(sample, 'python')),
      { expression: 'm.__version__', value: version },
    ];
    const wrong = pythonFiles({ ...plan, samples: [samples[0], withItsBug(samples[1], 'python')] });
    return {
      goal,
      judge: (evidence) =>
        all([
          () => areThere(evidence, Object.keys(right)),
          () => callsAnswer(evidence, `${name}/__init__.py`, calls),
        ]),
      good: { files: right },
      bad: [{ files: { ...right, [`${name}/__init__.py`]: '' } }, { files: wrong }],
    };
  },
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function npmFiles({ name, version, samples, files }: Plan): Files {
  const [one, two] = files;
  return {
    'package.json': json({ name, version, main: 'index.js' }),
    'index.js': `module.exports = { ...require('./${one}.js'), ...require('./${two}.js') };\n`,
    [`${one}.js`]: moduleText({ samples: [samples[0]] }, 'javascript'),
    [`${two}.js`]: moduleText({ samples: [samples[1]] }, 'javascript'),
  };
}

/** Where `require` or `import` of the folder leads. */
function entryOf(evidence: Evidence): string {
  const { main, exports } = JSON.parse(read(evidence, 'package.json') ?? '{}') as {
    readonly main?: string;
    readonly exports?: unknown;
  };
  const entry = pathIn(exports) ?? main ?? 'index.js';
  return entry.replace(/^\.\//, '');
}

/** `exports` is a path, or conditions for one, perhaps below ".". */
function pathIn(exports: unknown): string | null {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return null;
  const conditions = exports as { readonly [key: string]: unknown };
  return pathIn(conditions['.'] ?? conditions.require ?? conditions.import ?? conditions.default);
}

/** A package for Node.js of three files. */
export const npm: Generator = {
  name: 'npm',
  kind: 'package',
  languages: ['javascript'],
  kept: false,
  make: (random): Task => {
    const plan = planOf(random, '-');
    const { name, version, samples, files } = plan;
    const [one, two] = samples.map((sample) => told(sample, 'javascript'));
    const goal = random.pick([
      `Make this folder an npm package called ${name}, version ${version}, without dependencies. ${files[0]}.js exports ${one}; ${files[1]}.js exports ${two}. The package's main file exports both.`,
      `Set up a Node package: package.json (name "${name}", version "${version}"), ${files[0]}.js with ${one}, ${files[1]}.js with ${two}, and an index.js as its entry that passes both functions on.`,
    ]);
    const right = npmFiles(plan);
    const calls = samples.flatMap((sample) => callsOf(sample, 'javascript'));
    const wrong = npmFiles({
      ...plan,
      samples: [withItsBug(samples[0], 'javascript'), samples[1]],
    });
    return {
      goal,
      judge: (evidence) =>
        all([
          () => areThere(evidence, ['package.json', `${files[0]}.js`, `${files[1]}.js`]),
          () => {
            const seen = JSON.parse(read(evidence, 'package.json') ?? '{}') as Partial<Plan>;
            const isRight = seen.name === name && seen.version === version;
            return expectThat(isRight, `package.json is ${seen.name} ${seen.version}`);
          },
          () => callsAnswer(evidence, entryOf(evidence), calls),
        ]),
      good: { files: right },
      bad: [
        { files: { ...right, 'package.json': json({ name, version: '1.0.0' }), 'index.js': '' } },
        { files: wrong },
      ],
    };
  },
};
