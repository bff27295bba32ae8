import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { howInstalled } from '../../src/cli/update/command.ts';
import type { ProgramRunner } from '../../src/host/engine-port.ts';
import { fakeEngine, fakeTerminal } from './support.ts';

const at = (programFolder: string, ...there: string[]) => {
  const place = { programFolder, platform: 'linux' as const };
  const { how, commands, folder } = howInstalled(place, (path) => there.includes(path));
  return [how, ...commands.map((words) => words.join(' ')), folder];
};

test('where it lies says how it was installed and what updates it', () => {
  const name = 'node_modules/tardigrade-agent/dist/';
  expect(at(`/usr/lib/${name}`)).toEqual([
    'global',
    'npm install --global tardigrade-agent@latest',
    null,
  ]);
  expect(at(`/home/me/p/${name}`, '/home/me/p/package.json')).toEqual([
    'project',
    'npm install tardigrade-agent@latest',
    '/home/me/p',
  ]);
  expect(at(`/home/me/.npm/_npx/1f/${name}`, '/home/me/.npm/_npx/1f/package.json')).toEqual([
    'npx',
    'npx tardigrade-agent@latest',
    null,
  ]);
  expect(at('/home/me/tardigrade/dist/', '/home/me/tardigrade/.git')).toEqual([
    ...['clone', 'git pull', 'npm ci', 'npm run build'],
    '/home/me/tardigrade',
  ]);
  const single = { file: '/opt/agent', evaluate: '', engine: '' };
  const one = howInstalled({ programFolder: '/opt', platform: 'linux', single }, () => false);
  expect(one).toMatchObject({ how: 'file', about: 'one file, /opt/agent', commands: [] });
});

describe('the command', () => {
  async function update(
    argv: readonly string[],
    { answer = '', printed = '9.9.9\n', code = 0 } = {},
  ) {
    const ran: string[] = [];
    const programs = {
      outside: {
        find: async () => ({ kind: 'found', file: '/usr/bin/npm', prefix: [], notice: '' }),
        environment: () => ({}),
      },
      run: async ({ args }: { args: readonly string[] }) => {
        ran.push(args.join(' '));
        return { kind: 'exited', exitCode: code, signal: null, output: printed, durationMs: 1 };
      },
    } as unknown as ProgramRunner;
    const terminal = {
      ...fakeTerminal({ isTerminal: answer !== '', answer }),
      programFolder: '/usr/lib/node_modules/tardigrade-agent/dist/',
    };
    const engine = fakeEngine({ parts: { programs: async () => programs } });
    const exitCode = await main(['update', ...argv], terminal, async () => engine);
    return { exitCode, ran, stdout: terminal.stdout.text().replace(/\s+/g, ' ') };
  }

  test('says what it would do, and asks nobody and runs nothing', async () => {
    const { exitCode, ran, stdout } = await update([]);
    expect([exitCode, ran]).toEqual([0, []]);
    expect(stdout).toContain('Version 1.2.3. It is a global package of npm, in /usr/lib');
    expect(stdout).toContain('To update it: npm install --global tardigrade-agent@latest');
    expect(stdout).toContain('agent update --check');
  });

  test('asks the registry with --check alone, and says why where nobody can tell', async () => {
    const found = await update(['--check']);
    expect(found.ran).toEqual(['view tardigrade-agent version']);
    expect(found.stdout).toContain('The newest version is 9.9.9.');
    expect((await update(['--check'], { printed: '1.2.3' })).stdout).toContain(
      'the newest version.',
    );
    const none = await update(['--check'], { printed: 'npm error code E404', code: 1 });
    expect(none.stdout).toContain('is unknown: npm knows no such package.');
    const json = await update(['--check', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ how: 'global', newest: '9.9.9' });
  });

  test('installs after a yes', async () => {
    const install = 'install --global tardigrade-agent@latest';
    expect((await update(['--yes'])).ran).toEqual([install]);
    expect((await update([], { answer: 'y' })).ran).toEqual([install]);
    expect((await update([], { answer: 'n' })).ran).toEqual([]);
    expect((await update(['--yes'], { code: 1 })).exitCode).toBe(2);
  });
});
