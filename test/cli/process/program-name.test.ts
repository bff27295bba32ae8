import { expect, test } from 'vitest';
import {
  commandToPaste,
  programAt,
  typedProgramName,
} from '../../../src/cli/process/program-name.ts';

const bin = (name: string) => `/home/ann/p/node_modules/.bin/${name}`;
const windows = 'C:\\Users\\Ann\\AppData\\Roaming\\npm\\node_modules\\tardigrade-agent\\dist\\';

test.each([
  ['a link that npm has made', { script: '/usr/bin/tardigrade', env: {} }, 'tardigrade'],
  [
    'the file behind a script of npm',
    { script: `${windows}tardigrade.cjs`, env: {} },
    'tardigrade',
  ],
  ['a link of one’s own', { script: '/home/ann/bin/ag', env: {} }, 'ag'],
  ['a built file', { script: '/srv/dist/bin.cjs', env: {} }, 'agent'],
  ['the file that was the entry once', { script: '/srv/dist/bin.js', env: {} }, 'agent'],
  ['a name that no shell takes as it is', { script: '/tmp/my agent', env: {} }, 'agent'],
  [
    'npx, from its own folder',
    { script: '/home/ann/.npm/_npx/1f/node_modules/.bin/tardigrade-agent', env: {} },
    'npx tardigrade-agent',
  ],
  [
    'npx, from a project',
    { script: bin('tardigrade-agent'), env: { npm_command: 'exec' } },
    'npx tardigrade-agent',
  ],
  [
    'a global command in a shell that npx has started',
    { script: '/usr/bin/agent', env: { npm_command: 'exec' } },
    'agent',
  ],
  ['a script of a project', { script: bin('agent'), env: { npm_command: 'run' } }, 'agent'],
  [
    'npm run demo in a clone, where nothing is installed',
    { script: '/srv/dist/bin.cjs', env: { npm_lifecycle_event: 'demo' } },
    'node dist/bin.cjs',
  ],
  [
    'one file with Node in it',
    { script: '/opt/t', typed: './tardigrade', env: {} },
    './tardigrade',
  ],
] as const)('started by %s', (_what, started, name) => {
  expect(typedProgramName(started)).toBe(name);
});

test('a command has its name as it stands, and its words as a shell takes them', () => {
  const at = { program: 'npx tardigrade-agent', platform: 'linux' } as const;
  expect(commandToPaste(at, ['resume', '--workspace', 'a b'])).toBe(
    "npx tardigrade-agent resume --workspace 'a b'",
  );
  expect(commandToPaste(at, [])).toBe('npx tardigrade-agent');
});

test('each name is known where a line is folded', () => {
  for (const name of ['agent', 'tardigrade', './tardigrade', 'C:\\t\\agent.exe'])
    expect(programAt([name, 'resume'], 0), name).toBe(1);
  expect(programAt('npx tardigrade-agent resume'.split(' '), 0)).toBe(2);
  expect(programAt('node dist/bin.cjs resume'.split(' '), 0)).toBe(2);
  for (const words of [
    ['npx', 'cowsay'],
    ['node', 'hello.js'],
  ])
    expect(programAt(words, 0)).toBe(0);
});
