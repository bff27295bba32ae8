/** What a command wrote is no output of a build only because a command wrote it: it is judged like what tools write. */
import { expect, it } from 'vitest';
import { playInMemory } from '../support/evaluated.ts';
import { BARE_HEAD, cmd, DONE, edit, plan, write } from '../support/play.ts';

const PROOF = 'node test/calc.test.mjs';
const GIVES_FIVE = 'export function add(a, b) {\n  return 5;\n}\n';
const generator = (
  path: string,
  code: string,
) => `import { mkdirSync, writeFileSync } from 'node:fs';
function main() {
  mkdirSync('out', { recursive: true });
  writeFileSync('${path}', ${JSON.stringify(code)});
}
main();
`;
const KEPT = { 'src/kept.mjs': 'export const kept = 1;\n', 'README.md': 'Calculates.\n' };
/** They notice what half does, and of add only that it is there. */
const hollow = (path: string) =>
  write(
    'test/calc.test.mjs',
    `${BARE_HEAD}import { add } from '../${path}';\nimport { half } from '../src/half.mjs';\ntest('adds', () => assert.ok(add));\ntest('halves', () => assert.equal(half(4), 2));\n`,
  );
const HALF = write('src/half.mjs', 'export function half(n) {\n  return n / 2;\n}\n');
const ON_LINE = cmd(
  `node -e "require('fs').writeFileSync('src/calc.mjs','export function add(a, b) {\\n  return 5;\\n}\\n')"`,
);
const RUN = cmd('node gen.mjs');

it.each([
  ['by code on its line', 'src/calc.mjs', {}, [ON_LINE]],
  [
    'by the old generator',
    'src/calc.mjs',
    { 'gen.mjs': generator('src/calc.mjs', GIVES_FIVE) },
    [RUN],
  ],
  [
    'by a generator of its own',
    'src/calc.mjs',
    {},
    [write('gen.mjs', generator('src/calc.mjs', GIVES_FIVE)), RUN],
  ],
  [
    'by one of its own, where git keeps nothing',
    'out/calc.mjs',
    { '.gitignore': 'out/\n' },
    [write('gen.mjs', generator('out/calc.mjs', GIVES_FIVE)), RUN],
  ],
])('tests must notice code that a command of the run wrote %s', async (_how, path, files, work) => {
  const result = await playInMemory({
    goal: 'Add add(a, b), with tests',
    files: { ...KEPT, ...files },
    replies: [[plan(PROOF), HALF, ...work, hollow(path), DONE], [DONE], [DONE]],
  });
  expect(result.detail).toMatch(/the tests pass even when \S+ does nothing/);
  expect(result.ending).toBe('unverified');
});

it('code that a generator of the user wrote, and that the goal names, is the work', async () => {
  const test = `${BARE_HEAD}import { add } from '../src/calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n`;
  const result = await playInMemory({
    goal: 'Generate src/calc.mjs, so that its test passes, and say so in the README',
    files: {
      ...KEPT,
      'gen.mjs': generator('src/calc.mjs', GIVES_FIVE.replace('5', 'a + b')),
      'test/calc.test.mjs': test,
    },
    replies: [
      [plan(PROOF), cmd(PROOF)],
      [RUN, edit('README.md', 'Calculates.', 'Calculates. It is generated.'), DONE],
      [DONE],
      [DONE],
    ],
  });
  expect(result.detail).toMatch(/before the first change it failed/);
  expect(result.ending).toBe('achieved');
});

it('a build that the run changed in a file that it imports is no old build', async () => {
  const build = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { changed } from './tools/changed.mjs';
for (const folder of ['out/src', 'out/test']) mkdirSync(folder, { recursive: true });
for (const name of ['src/calc.mjs', 'test/calc.test.mjs'])
  writeFileSync('out/' + name, changed(readFileSync(name, 'utf8')));
`;
  const test = `${BARE_HEAD}import { add } from '../src/calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n`;
  const without = "text.replace('assert.equal(add(2, 3), 5)', 'add')";
  const result = await playInMemory({
    goal: 'Make the tests pass',
    files: {
      'src/calc.mjs': 'export const add = (a, b) => a - b;\n',
      'test/calc.test.mjs': test,
      'build.mjs': build,
      'tools/changed.mjs': 'export const changed = (text) => text;\n',
      '.gitignore': 'out/\n',
    },
    replies: [
      [plan('node out/test/calc.test.mjs'), cmd('node build.mjs')],
      [edit('tools/changed.mjs', '=> text', `=> ${without}`), cmd('node build.mjs'), DONE],
      [DONE],
      [DONE],
      'It is done.',
    ],
  });
  expect(result.detail).toMatch(/does nothing/);
  expect(result.ending).toBe('unverified');
});
