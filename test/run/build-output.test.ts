/** What a build writes into a folder that git ignores is nothing of the user's, and what else is there still is. */
import { expect, it } from 'vitest';
import { playInMemory } from '../support/evaluated.ts';
import { BARE_HEAD, cmd, DONE, edit, HEAD, plan, type play, read, write } from '../support/play.ts';

const BUILD = `import { copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
copyFileSync('src/calc.mjs', 'dist/calc.mjs');
for (const name of readdirSync('dist')) if (name.startsWith('asset-')) rmSync('dist/' + name);
writeFileSync('dist/asset-' + readFileSync('src/calc.mjs', 'utf8').length + '.txt', 'new');
`;
const FILES = {
  '.gitignore': 'dist/\ndata\n',
  'src/calc.mjs': 'export const add = (a, b) => a - b - 0;\n',
  'dist/calc.mjs': 'export const add = (a, b) => a - b - 0;\n',
  'dist/asset-1.txt': 'old',
  'data/prices.csv': 'bread,3\n',
  'notes.txt': 'mine\n',
  'test/calc.test.mjs': `${BARE_HEAD}import { add } from '../dist/calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n`,
  'build.mjs': BUILD,
  'clean.mjs': "import { rmSync } from 'node:fs';\nrmSync('data/prices.csv');\n",
  'spoil.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('notes.txt', 'spoilt');\n",
  'package.json':
    '{"type":"module","scripts":{"build":"node build.mjs","clean":"node clean.mjs","spoil":"node spoil.mjs","test":"node --import ./build.mjs test/calc.test.mjs"}}',
};
const MEND = edit('src/calc.mjs', 'a - b', 'a + b');

const played = (...work: Parameters<typeof play>[0]['replies'][number][]) =>
  playInMemory({
    goal: 'Make the tests pass',
    files: FILES,
    replies: [...work, [DONE], [DONE]] as never,
  });

it('a build that writes anew what git ignores, and takes away what it replaces, takes nothing from the claim', async () => {
  expect(await played([plan('npm test'), MEND, cmd('npm run build'), DONE])).toMatchObject({
    ending: 'achieved',
  });
});

it.each([
  ['a file that git does not ignore', 'npm run spoil', 'notes\\.txt'],
  ['the only file in a folder that git ignores', 'npm run clean', 'data/prices\\.csv'],
])(
  '%s, changed or removed by a command, is named, and nothing is claimed',
  async (_what, line, path) => {
    const result = await played([plan('npm test'), MEND, cmd(line), DONE]);
    expect(result.ending).toBe('unverified');
    expect(result.detail).toMatch(new RegExp(`while a command ran, ${path} was`));
  },
);

it('what a command changed in the reply that ends the work is told to the model, and once it is as before the work is claimed', async () => {
  const spoils = [plan('npm test'), MEND, cmd('npm run spoil'), DONE];
  const result = await played(spoils, [
    read('notes.txt'),
    write('notes.txt', FILES['notes.txt']),
    DONE,
  ]);
  expect(result.state.free.doubtTold?.words).toMatch(
    /^while a command ran, notes\.txt was changed/,
  );
  expect(result).toMatchObject({ ending: 'achieved' });
});

it.each([
  ['a program of the run', 'gen.mjs', 'node gen.mjs', {}],
  ['a program of the run that the project starts', 'gen.mjs', 'npm run gen', {}],
  [
    "the project's own program, as the run changed it",
    'build.mjs',
    'npm run build',
    {
      old: "copyFileSync('src",
      new: "writeFileSync('data/prices.csv', 'gone');\ncopyFileSync('src",
    },
  ],
])('data that git ignores, and %s writes, was no output', async (_what, path, line, change) => {
  const program =
    'old' in change
      ? edit(path, String(change.old), String(change.new))
      : write(
          path,
          "import { writeFileSync } from 'node:fs';\nwriteFileSync('data/prices.csv', 'gone');\n",
        );
  const script = edit('package.json', '"clean"', '"gen":"node gen.mjs","clean"');
  const result = await played([plan('npm test'), MEND, program, script, cmd(line), DONE]);
  expect(result.ending).toBe('unverified');
  expect(result.detail).toMatch(/while a command ran, data\/prices\.csv was changed, which/);
});

it('what git ignores only because of the run is no output', async () => {
  const ignore = edit('.gitignore', 'dist/', 'dist/\nnotes.txt');
  const result = await played([plan('npm test'), MEND, ignore, cmd('npm run spoil'), DONE]);
  expect(result).toMatchObject({ ending: 'unverified' });
  expect(result.detail).toMatch(/notes\.txt/);
});

/** Builds as CMake does: a folder that was configured elsewhere is refused. */
const CMAKE = `import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const line = 'CMAKE_HOME_DIRECTORY:INTERNAL=' + process.cwd() + '\\n';
mkdirSync('out', { recursive: true });
if (!existsSync('out/CMakeCache.txt')) writeFileSync('out/CMakeCache.txt', line);
if (readFileSync('out/CMakeCache.txt', 'utf8') !== line) throw new Error('configured elsewhere');
mkdirSync('out/test', { recursive: true });
copyFileSync('calc.mjs', 'out/calc.mjs');
copyFileSync('calc.test.mjs', 'out/test/calc.test.mjs');
`;

it('a build in a folder that works in no copy is made anew there, tests included', async () => {
  const test = `${HEAD}import { add } from '../calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n`;
  const files = {
    '.gitignore': 'out/\n',
    'calc.mjs': 'export const add = (a, b) => a - b;\n',
    'calc.test.mjs': test,
    'build.mjs': CMAKE,
    'package.json': '{"scripts":{"test":"node build.mjs && node out/test/calc.test.mjs"}}',
  };
  const replies = [[cmd('npm test')], [plan('npm test'), edit('calc.mjs', 'a - b', 'a + b'), DONE]];
  const result = await playInMemory({
    goal: 'Make the tests pass',
    files,
    replies: [...replies, [DONE]],
  });
  expect(result.detail).toMatch(/before the first change it failed/);
  expect(result.ending).toBe('achieved');
});

/** Tests run where they were built, as those of TypeScript often do. */
const built = (twice: string, folder = '') => ({
  [`${folder}src/calc.mjs`]: `export const add = (a, b) => a + b;\n${twice}`,
  [`${folder}test/calc.test.mjs`]: `${BARE_HEAD}import { add } from '../src/calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n`,
});
const COPIES = `import { copyFileSync } from 'node:fs';
for (const name of ['src/calc.mjs', 'test/calc.test.mjs']) copyFileSync(name, 'dist/' + name);
`;
const TWICE = 'export function twice(n) {\n  return n * 2;\n}\n';

it.each([
  ['assert.equal(twice(4), 8)', 'achieved', /proof passed/],
  ['assert.ok(twice)', 'unverified', /pass even when src\/calc\.mjs does nothing/],
])(
  'new code is altered where it is written, and not where a build puts it: %s',
  async (assertion, ending, words) => {
    const files = {
      ...{ '.gitignore': 'dist\n', 'build.mjs': COPIES, ...built(''), ...built('', 'dist/') },
      'package.json': '{"scripts":{"test":"node --import ./build.mjs dist/test/calc.test.mjs"}}',
    };
    const code = edit('src/calc.mjs', 'export', `${TWICE}export`);
    const names = edit('test/calc.test.mjs', '{ add }', '{ add, twice }');
    const tests = edit(
      'test/calc.test.mjs',
      "test('adds'",
      `test('twice', () => ${assertion});\ntest('adds'`,
    );
    const goal = 'Add twice(n) to src/calc.mjs, with tests';
    const replies = [[plan('npm test')], [code, names, tests, DONE], [DONE], [DONE]];
    const result = await playInMemory({ goal, files, replies });
    expect(result.detail).toMatch(words);
    expect(result.ending).toBe(ending);
  },
);

/** A bundler that writes nothing where it fails. */
const BUNDLE = `import { readFileSync, writeFileSync } from 'node:fs';
const code = readFileSync('src/calc.mjs', 'utf8');
if (code.includes('oops')) throw new Error('src/calc.mjs cannot be read');
writeFileSync('dist/all.mjs', code);
`;
const BROKEN = {
  ...{ '.gitignore': 'dist\ndata\n', 'bundle.mjs': BUNDLE, 'data/prices.csv': 'bread,3\n' },
  ...{ 'src/calc.mjs': 'oops\n', 'dist/all.mjs': 'export const old = 1;\n' },
  'package.json': '{"scripts":{"build":"node bundle.mjs"}}',
};

it.each([
  ['by a bundler as it was', [], true],
  [
    'by one that the run changed',
    [edit('bundle.mjs', "'dist/all.mjs'", "'data/prices.csv'")],
    false,
  ],
])('what a build makes that failed before is its output: %s', async (_how, changes, isOutput) => {
  const mend = edit('src/calc.mjs', 'oops', 'export const calc = 1;');
  const work = [plan('npm run build'), mend, ...changes, DONE];
  const replies = [[cmd('npm run build')], work, [DONE], [DONE]];
  const { detail } = await playInMemory({
    goal: 'npm run build fails: mend it',
    files: BROKEN,
    replies,
  });
  expect(detail).not.toBe('');
  expect(detail.includes('while a command ran')).toBe(!isOutput);
});

it('a command of the run cannot keep tests out of copies by what CMake leaves', async () => {
  const test = (sum: number) =>
    `${BARE_HEAD}import { add } from '../calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), ${sum}));\n`;
  const files = {
    'calc.mjs': 'export const add = (a, b) => a - b;\n',
    'test/calc.test.mjs': test(5),
    'other.test.mjs': `${BARE_HEAD}test('is', () => assert.ok(1));\n`,
    'package.json': '{"scripts":{"test":"node --test"}}',
  };
  const hide =
    "import { writeFileSync } from 'node:fs';\nwriteFileSync('test/CMakeCache.txt', 'CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\\n');\n";
  const weaken = edit('test/calc.test.mjs', ', 5)', ', -1)');
  const replies = [
    [plan('npm test'), write('hide.mjs', hide), cmd('node hide.mjs'), weaken, DONE],
    ...[[DONE], [DONE]],
  ];
  const result = await playInMemory({ goal: 'Make the tests pass', files, replies });
  expect(result.ending).toBe('unverified');
  expect(result.detail).toMatch(/test\/calc\.test\.mjs was there before the run/);
});

/** As coverage tools do: reports with other names each time, of which one is larger than what is kept. */
const COVER = `import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
rmSync('report/tmp', { recursive: true, force: true });
mkdirSync('report/tmp', { recursive: true });
writeFileSync('report/tmp/' + Math.random() + '.json', ' '.repeat(1200000));
if (!readFileSync('calc.mjs', 'utf8').includes('a + b')) throw new Error('it does not add');
`;
const LARGE = ' '.repeat(1_200_000);
const COVERED = {
  ...{ '.gitignore': 'report\n', 'report/tmp/1.json': LARGE, 'cover.mjs': COVER },
  'calc.mjs': 'export const add = (a, b) => a - b;\n',
  'calc.test.mjs': `${BARE_HEAD}import { add } from './calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n`,
  'package.json':
    '{"scripts":{"clear":"node clear.mjs","fill":"node fill.mjs","test":"node --import ./cover.mjs calc.test.mjs"}}',
};
const SUM = edit('calc.mjs', 'a - b', 'a + b');

it('reports of the tests that are too large to be kept make room for others, and nothing is lost', async () => {
  const replies = [[cmd('npm test')], [plan('npm test'), SUM], [cmd('npm test')], [DONE], [DONE]];
  const result = await playInMemory({ goal: 'Make the tests pass', files: COVERED, replies });
  expect(result.detail).toMatch(/before the first change it failed/);
  expect(result.ending).toBe('achieved');
});

it('a large file that git ignores is lost where nothing takes its place', async () => {
  const clear = "import { rmSync } from 'node:fs';\nrmSync('data/all.bin');\n";
  const files = {
    ...COVERED,
    ...{ '.gitignore': 'report\ndata\n', 'data/all.bin': LARGE, 'clear.mjs': clear },
  };
  const replies = [[plan('npm test'), SUM, cmd('npm run clear'), DONE], [DONE], [DONE]];
  const result = await playInMemory({ goal: 'Make the tests pass', files, replies });
  expect(result.ending).toBe('unverified');
  expect(result.detail).toMatch(/while a command ran, data\/all\.bin was removed/);
});

it("a large file that commands make and remove again was nobody's", async () => {
  const files = {
    ...COVERED,
    'fill.mjs':
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('all.bin', ' '.repeat(1200000));\n",
    'clear.mjs': "import { rmSync } from 'node:fs';\nrmSync('all.bin');\n",
  };
  const both = [cmd('npm run fill'), cmd('npm run clear')];
  const replies = [[plan('npm test'), SUM, ...both, DONE], [DONE], [DONE]];
  const result = await playInMemory({ goal: 'Make the tests pass', files, replies });
  expect(result.detail).not.toMatch(/all\.bin/);
  expect(result.ending).toBe('achieved');
});

it('what a build that git ignores puts under tests, a copied .gitignore too, is none of the tests', async () => {
  const build = `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('build/tests', { recursive: true });
writeFileSync('build/tests/.gitignore', 'node_modules');
for (let at = 0; at < 600; at += 1) writeFileSync('build/tests/part' + at + '.make', String(at));
`;
  const result = await playInMemory({
    goal: 'Make the tests pass',
    files: {
      '.gitignore': 'build/\n',
      'build.mjs': build,
      'calc.mjs': 'export const add = (a, b) => a - b;\n',
      'tests/calc.test.mjs': `${HEAD}import { add } from '../calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n`,
    },
    replies: [
      [
        plan('node tests/calc.test.mjs'),
        edit('calc.mjs', 'a - b', 'a + b'),
        cmd('node build.mjs'),
        DONE,
      ],
      [DONE],
    ],
  });
  expect(result).toMatchObject({ ending: 'achieved' });
});
