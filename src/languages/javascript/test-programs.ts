/** Pure: the programs that run JavaScript's tests, and those that run such programs. */
import type { TestProgram } from '../language.ts';
import { nodeTakesValue } from './commands.ts';

/** A script of the project may have the name of any program. */
const SCRIPTS = ['exec', 'run'];
const RUNNER: TestProgram = { tests: [''] };
const PASSING: TestProgram = { passes: [''] };

export const testPrograms: { readonly [program: string]: TestProgram } = {
  node: {
    takesAs: nodeTakesValue,
    tests: ['--test', '--run test*', '--run=test*'],
    code: '-e --eval -p --print -pe',
    passes: [''],
    namesTests: true,
  },
  npm: {
    takes:
      '-C --prefix -w --workspace --loglevel --script-shell --userconfig --globalconfig --cache --registry --node-options',
    tests: ['test', 't', 'tst', 'run test*', 'run-script test*', 'rum test*', 'urn test*'],
    passes: [...SCRIPTS, 'x'],
    folder: '--prefix {} test',
  },
  pnpm: {
    takes: '-C --dir -F --filter --filter-prod --workspace-concurrency --loglevel --reporter',
    tests: ['test*', 't', 'run test*', 'recursive test*', 'recursive run test*'],
    passes: [...SCRIPTS, 'dlx', 'recursive exec', 'recursive run', ''],
    folder: '-C {} test',
  },
  yarn: {
    takes: '--cwd -j --jobs --include --exclude --from --since',
    tests: [
      ...['test*', 'run test*', 'workspace * test*', 'workspace * run test*'],
      ...['workspaces run test*', 'workspaces foreach run test*'],
    ],
    passes: [
      ...SCRIPTS,
      'dlx',
      'workspace * exec',
      'workspace * run',
      'workspaces foreach exec',
      '',
    ],
    folder: '--cwd {} test',
  },
  bun: {
    takes: '--cwd -F --filter -c --config --env-file -r --preload',
    tests: ['test', 'run test*'],
    passes: ['x', 'run', ''],
    folder: 'test {}',
  },
  deno: {
    takes: '-c --config --import-map --cert --env-file --cwd -f --filter',
    tests: ['test', 'task test*'],
    passes: ['run'],
    folder: 'test {}',
  },
  corepack: PASSING,
  npx: { takes: '-p --package -w --workspace', passes: [''] },
  pnpx: { takes: '-p --package', passes: [''] },
  bunx: { takes: '-p --package', passes: [''] },
  tsx: PASSING,
  'ts-node': PASSING,
  nyc: PASSING,
  c8: PASSING,
  'cross-env': PASSING,
  dotenv: { takes: '-e -v -p', passes: [''] },
  vitest: { ...RUNNER, folder: 'run --root {}' },
  jest: { ...RUNNER, never: '--listTests', folder: '--rootDir {}' },
  mocha: RUNNER,
  ava: RUNNER,
  jasmine: RUNNER,
  tap: RUNNER,
  uvu: RUNNER,
  playwright: { tests: ['test'] },
  cypress: { tests: ['run'] },
  'react-scripts': { tests: ['test'] },
  ng: { tests: ['test'] },
  nx: { takes: '-t --target --targets -p --projects', tests: ['test', '-t test', '--target=test'] },
  turbo: { takes: '-F --filter --cwd', tests: ['test*', 'run test*'] },
  lerna: { takes: '--scope', tests: ['run test*'] },
};
