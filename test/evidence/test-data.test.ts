import { expect, it } from 'vitest';
import { testDataIn } from '../../src/evidence/test-data.ts';

const FILES: { readonly [path: string]: string } = {
  'calc.mjs': "import rates from './rates.json' with { type: 'json' };\n",
  'test/calc.test.mjs':
    "const read = (name) => open(`./golden/` + name);\nopen('../rates.json');\nopen('cities.csv');\n",
  'check.mjs': "const want = JSON.parse(read('wanted.json'));\n",
  'gen.mjs': "read('seeds.yml');\n",
  'package.json':
    '{"scripts":{"test":"node gen.mjs seeds.yml && node --test","generate":"node gen.mjs"}}',
  Makefile: 'check:\n\t./calc < in.txt | diff - out.txt\n',
  ...Object.fromEntries(
    [
      'rates.json',
      'golden/sums.json',
      'golden/page.js',
      'src/fixtures/load.mjs',
      'wanted.json',
      'in.txt',
      'cities.csv',
      'other.json',
      'index.html',
      'README.md',
      'seeds.yml',
      'src/snapshots/a.snap',
      'my-wanted.json',
    ].map((path) => [path, '']),
  ),
};

const found = (
  changed: readonly string[],
  cmd: string,
  named: readonly string[] = [],
  prints?: string,
) =>
  testDataIn(
    changed,
    { cmd, ...(prints === undefined ? {} : { prints }) },
    (path) => named.includes(path),
    {
      files: Object.keys(FILES),
      readText: (path) => FILES[path] ?? null,
      workspace: '/work',
      platform: 'linux',
    },
  );

it.each([
  ['a folder that only tests name', 'golden/sums.json', 'node --test'],
  ['code in a folder of results', 'golden/page.js', 'node --test'],
  ['what the program of the proof names', 'wanted.json', 'node check.mjs'],
  ['what a line of the Makefile names', 'in.txt', 'make check'],
  ['what the proof itself names', 'other.json', 'diff other.json calc.mjs'],
  ['what only tests name', 'cities.csv', 'node --test'],
  ['what is called a snapshot', 'src/snapshots/a.snap', 'cargo test'],
])('%s is the data of tests', (_what, path, cmd) => {
  expect(found([path], cmd)).toEqual([path]);
});

it.each([
  ['what the code names too', 'rates.json', 'node --test'],
  ['what nothing names', 'other.json', 'node --test'],
  ['what another program names', 'wanted.json', 'node --test'],
  ['a name that is part of another one', 'my-wanted.json', 'node check.mjs'],
  ['a page', 'index.html', 'diff index.html calc.mjs'],
  ['a document', 'README.md', 'diff README.md calc.mjs'],
  ['code', 'calc.mjs', 'node --test'],
  ['code in such a folder that no test names', 'src/fixtures/load.mjs', 'node --test'],
])('%s is none', (_what, path, cmd) => {
  expect(found([path], cmd)).toEqual([]);
});

it('what a run of tests only builds from is none', () => {
  expect(found(['seeds.yml'], 'npm test')).toEqual([]);
  expect(found(['seeds.yml'], 'npm run generate')).toEqual(['seeds.yml']);
});

it('what a program reads whose output the goal states is none', () => {
  const at = { cmd: 'node check.mjs', prints: '3' };
  expect(found(['wanted.json'], at.cmd, [], at.prints)).toEqual([]);
});

it('what the goal names may be the work, unless it is called a result', () => {
  const both = ['cities.csv', 'golden/sums.json'];
  expect(found(both, 'node --test', both)).toEqual(['golden/sums.json']);
});
