import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunResult } from '../../src/agent.ts';
import { main } from '../../src/cli/main.ts';
import { fakeEngine, fakeTerminal, runState } from './support.ts';

let cwd = '';
beforeAll(() => {
  cwd = mkdtempSync(`${tmpdir()}/refused-at-the-end-`);
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const subtask = {
  id: '1.1',
  description: 'publish',
  status: 'unverified',
  done_when: [],
  checks: [],
};
const CALL = { subtask: '1.1', tool: 'run_cmd', target: 'npm publish' };

async function ended(call: object, words: readonly string[], platform: NodeJS.Platform = 'linux') {
  const state = runState({
    goal: 'Publish it',
    ended: { ending: 'unverified', detail: '' },
    plan: { fallback: false, tasks: [{ description: 'publish', subtasks: [subtask] }] },
    refused: [{ ...CALL, ...call }],
  } as never);
  const result = { ending: 'unverified', detail: '', answer: null, state } as RunResult;
  const terminal = fakeTerminal({ cwd, platform, env: { LANG: 'C.UTF-8', NO_COLOR: '1' } });
  await main(words, terminal, () => Promise.resolve(fakeEngine({ result, current: state })));
  return terminal.stderr.text();
}

const REFUSED = { allowedBy: ['run_cmd(npm publish)'] };

test('the end names the command that starts over with what a rule refused', async () => {
  const run = await ended(REFUSED, ['Publish it']);
  expect(run).toMatch(/again +the same command with --again --allow 'npm publish' starts over/);
  const resumed = await ended(REFUSED, ['resume']);
  expect(resumed).toMatch(/again +agent --again --allow 'npm publish' 'Publish it'\n/);
  const windows = await ended(REFUSED, ['resume'], 'win32');
  expect(windows).toMatch(/again +agent --again --allow "npm publish" "Publish it"\n/);
});

test('it names none for what no rule allows, or what a person refused', async () => {
  expect(await ended({}, ['Publish it'])).not.toContain('--again');
  expect(await ended({ ...REFUSED, isNo: true }, ['Publish it'])).not.toContain('--again');
});
