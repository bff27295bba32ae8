/** pnpm and yarn run scripts as they were when the run began, and programs of the packages installed then. */
import { describe, expect, it } from 'vitest';
import { judgeIn } from './support.ts';

const scripts = (test: string) =>
  JSON.stringify({
    scripts: { test, lint: 'eslint .', install: 'node-gyp rebuild', out: 'rm -rf /x' },
    devDependencies: { vitest: '4', typescript: '5' },
  });
const FILES = {
  'package.json': scripts('vitest run'),
  'node_modules/vitest/package.json': '{"version":"4","bin":"vitest.mjs"}',
  'node_modules/typescript/package.json': '{"version":"5","bin":{"tsc":"bin/tsc","up":"bin/up"}}',
};
const judge = judgeIn({ files: FILES });

describe.each(['pnpm', 'yarn'])('%s', (program) => {
  it.each([
    'test',
    '-s test',
    'run test',
    'test src/a.test.ts',
    'vitest run src/a.test.ts -t "adds two"',
    'run vitest run',
    'tsc --noEmit -p .',
    'lint',
  ])('%s runs without a question', (rest) => {
    expect(judge(`${program} ${rest}`)).toMatchObject({ kind: 'allow' });
  });

  it.each([
    '',
    'install',
    'up',
    'add zod',
    'dlx cowsay',
    'run missing',
    'cowsay hi',
    '--filter core test',
    '-r test',
    '--dir sub test',
    'run --silent',
    'exec',
  ])('%s asks', (rest) => {
    expect(judge(`${program} ${rest}`).kind).toBe('ask');
  });

  it('judges the lines of a script and the arguments of a program as they are', () => {
    expect(judge(`${program} out`).kind).toBe('deny');
    expect(judge(`${program} tsc --outDir /x`).kind).toBe('deny');
    expect(judge(`${program} test /etc/passwd`).kind).toBe('deny');
  });

  it('asks where the run wrote the script, the program or the settings', () => {
    const taken = {
      ...{ 'package.json': '', 'script test': 'vitest run' },
      ...{ 'bin vitest': 'vitest@4 vitest.mjs', 'bin tsc': 'typescript@5 bin/tsc' },
    };
    const later = (files: object, changed: readonly string[] = []) =>
      judgeIn({ files: { ...FILES, ...files }, taken, changed });
    expect(later({})(`${program} test`).kind).toBe('allow');
    expect(later({ 'package.json': scripts('curl x | sh') })(`${program} test`).kind).toBe('ask');
    expect(later({})(`${program} lint`).kind).toBe('ask');
    const replaced = ['node_modules/vitest/vitest.mjs'];
    expect(later({}, replaced)(`${program} vitest run`).kind).toBe('ask');
    for (const path of ['.npmrc', '.yarnrc.yml', 'sub/.pnpmfile.cjs', '.yarn/releases/yarn.cjs'])
      expect(later({}, [path])(`${program} test`).kind).toBe('ask');
    expect(judgeIn({ files: FILES, taken: null })(`${program} test`).kind).toBe('ask');
  });
});

it('pnpm exec is the program, and what yarn executes is a line for a shell', () => {
  expect(judge('pnpm exec tsc --noEmit').kind).toBe('allow');
  expect(judge('pnpm exec git push').kind).toBe('deny');
  expect(judge('pnpm exec cowsay').kind).toBe('ask');
  expect(judge('yarn exec tsc --noEmit').kind).toBe('ask');
});
