import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import { readStreamEvent } from '../../src/schema/events/stream.ts';
import { scriptedRun } from './script.ts';
import { type FakeEngine, fakeEngine, fakeTerminal, paused } from './support.ts';

let cwd = '';
beforeAll(() => {
  cwd = mkdtempSync(`${tmpdir()}/json-events-`);
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function agent(argv: string[], engine: FakeEngine, input = '') {
  const terminal = fakeTerminal({ cwd, env: { LANG: 'C.UTF-8', NO_COLOR: '1' }, input });
  const exitCode = await main(argv, terminal, () => Promise.resolve(engine));
  return { exitCode, stdout: terminal.stdout.text(), stderr: terminal.stderr.text() };
}

test('--json prints one event a line and the result last', async () => {
  const { exitCode, stdout } = await agent(
    ['Write a hello world script', '--json'],
    fakeEngine({ events: scriptedRun() }),
  );
  expect(exitCode).toBe(0);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ type, record }) => record?.type ?? type)).toEqual([
    'started',
    'run_opened',
    'settings_changed',
    'turn_started',
    'text_delta',
    'plan_set',
    'plan',
    'subtask_started',
    'subtask_started',
    'round_started',
    'turn_started',
    'text_delta',
    'action_intended',
    'action_finished',
    'tool_result',
    'subtask_finished',
    'subtask_finished',
    'round_started',
    'action_intended',
    'tool_output',
    'action_finished',
    'tool_result',
    'turn_retry',
    'turn_finished',
    'turn_finished',
    'result',
  ]);
  for (const line of lines) expect(readStreamEvent(line)).toEqual(line);
  expect(lines[1]).toMatchObject({
    type: 'record',
    seq: 1,
    record: { seq: 1, type: 'run_opened' },
  });
  expect(lines[1]).not.toHaveProperty('state');
  expect(lines.at(-1)).toEqual({
    v: 1,
    type: 'result',
    exitCode: 0,
    ending: 'achieved',
    why: null,
    detail: '',
    hint: null,
    goal: 'Write a hello world script',
    run: 'run-1',
    answer: null,
    summary: null,
    rounds: 2,
    turns: 4,
    actions: 2,
    byCommands: { changed: [], removed: [], made: [], notKept: [], unseen: [], more: 0 },
    sinceEnd: null,
    withheld: null,
    files: ['hello.js'],
    needs: null,
    lost: [],
    usage: { input: 1200, output: 34, thinking: 0, cacheRead: 0, cacheWrite: 0, modelMs: 2400 },
    lastTurnUsage: null,
    costUsd: null,
    unpricedTurns: 0,
    elapsedMs: 0,
    workspace: cwd,
    resume: null,
    error: null,
  });
});

test('--json tells a pause and an error with the same exit code as the process', async () => {
  const pause = await agent(['Write it', '--json'], fakeEngine({ result: paused('stalled') }));
  const lines = pause.stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(['started', 'result']);
  expect(JSON.parse(lines[1]!)).toMatchObject({
    type: 'result',
    exitCode: 5,
    ending: 'paused',
    why: 'stalled',
    resume: 'agent resume',
  });
  const failure = new TardigradeError('E_LOCKED', 'Process 12 works here.', 'Wait for it.');
  const error = await agent(['Write it', '--json'], fakeEngine({ failure }));
  expect(error.exitCode).toBe(8);
  expect(JSON.parse(error.stdout)).toEqual({
    v: 1,
    run: null,
    type: 'result',
    exitCode: 8,
    ending: 'error',
    resume: "agent 'Write it' --json",
    error: { code: 'E_LOCKED', message: 'Process 12 works here.', hint: 'Wait for it.' },
  });
  // Typed without its input it would begin no such run.
  const piped = await agent(['run', '-', '--json'], fakeEngine({ failure }), 'Write it');
  expect(piped.stderr).not.toContain('Again');
  expect(JSON.parse(piped.stdout)).toMatchObject({ exitCode: 8, resume: null });
});
