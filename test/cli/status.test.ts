import { expect, test } from 'vitest';
import { statusText } from '../../src/cli/commands/status.ts';
import { pauseHead, pauseLines } from '../../src/cli/render/ending/pause.ts';
import { createStyle } from '../../src/cli/render/text/style.ts';
import type { RunState } from '../../src/schema/state.ts';
import { runState } from './support.ts';

const style = createStyle({ env: {}, platform: 'linux' }, { isTerminal: false });

const told = (
  state: Partial<RunState>,
  standing: 'running' | 'killed' | 'paused' | 'undone',
): string =>
  statusText(
    {
      ...{ state: runState(state), standing, origin: 'own', owner: null },
      ...{ resume: null, workspace: '/ws', error: null, isDebug: false, agent: 'agent' },
      typed: (verb) => `agent ${verb}`,
    },
    style,
  );

test('a run that waits for an answer says so, for which call, and how to give it', () => {
  const request = { tool: 'run_cmd', target: 'git commit -m x', reason: '', rules: [] };
  const open = [{ ...request, id: 'ab12'.repeat(8), isNoted: false }];
  const permissions = { open, answers: [], rules: [], isRegained: false, taken: null };
  const text = told({ permissions }, 'running');
  expect(told({ permissions }, 'undone')).not.toContain('Asks for');
  expect(text).toMatch(/State +running in process \?, waiting for your answer\n/);
  expect(text).toMatch(
    /Asks for +run git commit -m x\nSay yes +agent approve ab12ab12\nSay no +agent deny ab12ab12\n/,
  );
});

test('what a killed run was at is said in words', () => {
  const phase = { name: 'awaiting_content', file: 'todo.py' } as const;
  expect(told({ phase }, 'killed')).toContain('stopped unexpectedly while writing todo.py;');
});

test('a run that waits before it asks its model again says until when', () => {
  const until = new Date(2026, 10, 24, 14, 3, 22).getTime();
  const wait = { ms: 60_000, until, why: 'rate limited' };
  const words = 'waiting until 14:03:22 to ask the model again';
  expect(told({ wait }, 'running')).toContain(`running in process ?, ${words}\n`);
  expect(told({ wait }, 'killed')).toContain(`stopped unexpectedly while ${words};`);
});

test('of a run that somebody stopped who did it is said once', () => {
  const paused = { why: 'interrupted', detail: 'stopped by the user' } as const;
  expect(told({ paused }, 'paused')).toMatch(/State +paused: stopped by the user\n/);
  expect(pauseHead(paused, null)).toBe('Paused: stopped by the user');
  const words = { goal: 'A goal', resume: 'agent resume', agent: 'agent' };
  expect(pauseLines(paused, words, 79)).toEqual(['  Goal: A goal', '  Resume: agent resume']);
});

test('a call of a server that waits for an answer is named by its server', () => {
  const request = {
    tool: 'mcp__files__read_text',
    target: 'files.read_text',
    reason: '',
    rules: [],
  };
  const open = [{ ...request, id: 'ab12'.repeat(8), isNoted: true }];
  const permissions = { open, answers: [], rules: [], isRegained: false, taken: null };
  expect(told({ permissions }, 'paused')).toMatch(/Asks for +files\.read_text\n/);
});
