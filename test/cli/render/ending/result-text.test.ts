/** What stdout and stderr get of the words of a model at the end of a run. */
import { expect, test } from 'vitest';
import { main } from '../../../../src/cli/main.ts';
import type { RunResult } from '../../../../src/run/result.ts';
import { achieved, fakeEngine, fakeTerminal, runState } from '../../support.ts';

async function agent(goal: string, result: RunResult, isTerminal: boolean) {
  const terminal = fakeTerminal({ env: { LANG: 'C.UTF-8', NO_COLOR: '1' }, isTerminal });
  await main([goal], terminal, () => Promise.resolve(fakeEngine({ result })));
  return { stdout: terminal.stdout.text(), stderr: terminal.stderr.text() };
}

test('the answer of a run that did work stands under how it ended, and what the model says of it, too', async () => {
  const result = { ...achieved('Two files.'), summary: 'I made one more.' };
  for (const isTerminal of [true, false]) {
    const { stdout } = await agent('Write it', result, isTerminal);
    expect(stdout).toMatch(/^(✓ )?Done in 0 ms\nTwo files\.\nI made one more\.\n$/);
  }
});

test('what the model says beside an answer goes to stderr', async () => {
  const result = {
    ...achieved('Two files.'),
    ending: 'answered',
    summary: 'I looked twice.',
  } as const;
  const { stdout, stderr } = await agent('What is here?', result, false);
  expect(stdout).toBe('Two files.\n');
  expect(stderr).toContain('The model says: I looked twice.\n');
});

test('the proof stands on stdout once, whatever the model says beside it', async () => {
  const plan = { tasks: [], verify: null, proof: { cmd: 'node --test' } };
  const state = runState({ plan, proof: { passed: true } } as never);
  const detail =
    'proof passed: node --test (2 passed); checked: the tests of this run fail with calc.mjs emptied';
  const result = { ...achieved('It adds.'), state, detail };
  const { stdout } = await agent('Write it', result, false);
  expect(stdout).toBe(
    'Done in 0 ms \u2014 proved: node --test\nIt adds.\nChecked: the tests of this run fail with calc.mjs emptied\n',
  );
});
