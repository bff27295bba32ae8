import { describe, expect, it } from 'vitest';
import { question } from '../../../src/drivers/free/plan.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { NAMES } from '../../support/built-in-tools.ts';
import { bareState } from '../../support/run-state.ts';

const ASK = {
  do: 'ask',
  cause: 'survey',
  question: { kind: 'action', open: [] },
  tries: 1,
} as const;

const commandsTold = (
  goal: string,
  {
    installed = ['python', 'pytest', 'node'],
    files = [],
    more = {},
  }: {
    readonly installed?: readonly string[];
    readonly files?: readonly string[];
    readonly more?: Partial<RunState>;
  } = {},
): string => {
  const { text } = question(ASK, {
    state: bareState('free', { goal, ...more }),
    world: {
      readText: () => null,
      exists: (path) => files.includes(path),
      size: () => null,
      files: () => files,
    },
    installed: new Set(installed),
    names: NAMES,
    plannable: [],
    outputAt: () => '',
  });
  return text.split('\n').find((line) => line.startsWith('COMMANDS: ')) ?? '';
};

describe('before it plans a model that leads is told', () => {
  it('which commands run without asking, as far as they are on the machine', () => {
    expect(commandsTold('Say hello')).toMatch(/python, pytest, .*node, npm test/);
    expect(commandsTold('Say hello')).not.toMatch(/cargo|go build/);
    expect(commandsTold('Say hello', { installed: ['python', 'node'] })).not.toContain('pytest');
    expect(commandsTold('Say hello', { installed: ['node'] })).not.toMatch(/pytest|python/);
    expect(commandsTold('Say hello', { installed: ['go'], files: ['cmd/main.go'] })).toMatch(
      /go build\|test/,
    );
  });

  it('what the user has allowed beside them, and what lies there to be built', () => {
    const rule = { allowed: true, rule: 'run_cmd(npm install *)', id: 'option', why: '', seq: 1 };
    const permissions = {
      ...{ open: [], answers: [], rules: [rule], isRegained: false },
      taken: { 'script check': 'node check.js', 'Cargo.toml': '[package]' },
    } as unknown as NonNullable<RunState['permissions']>;
    const told = commandsTold('Say hello', { more: { permissions } });
    expect(told).toContain(
      'npm run NAME, npm ls, cargo build|test|check|clippy|fmt, npm install *',
    );
    expect(told).toContain('npm install *');
    expect(told).not.toContain('run_cmd(');
  });

  it('in words which programs of the folder run, and nothing that is about no command', () => {
    const rules = ['programs(*)', 'programs(.venv)', 'edit(src/**)', 'run_cmd(make *)'].map(
      (rule, seq) => ({ ...{ allowed: true, rule, id: `${seq}`, why: '', seq } }),
    );
    const permissions = {
      ...{ open: [], answers: [], rules, isRegained: false, taken: {} },
    } as unknown as NonNullable<RunState['permissions']>;
    const told = commandsTold('Say hello', { more: { permissions } });
    expect(told).toContain(
      'programs installed in this folder, programs installed in .venv, make and git that reads',
    );
    expect(told).not.toMatch(/programs\(|edit\(/);
  });

  it('that what a project needs of others is not there', () => {
    const folder = 'node_modules';
    expect(commandsTold('Mend it', { files: ['package.json'] })).toContain(`There is no ${folder}`);
    expect(commandsTold('Mend it', { files: ['package.json', folder] })).not.toContain(folder);
    expect(commandsTold('Mend it')).not.toContain(folder);
  });

  it('that a language which the goal is about cannot be run here', () => {
    expect(commandsTold('Write it in Python', { installed: ['node'] })).toContain(
      'Python is not installed here',
    );
  });
});
