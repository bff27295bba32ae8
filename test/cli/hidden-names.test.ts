import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { fakeEngine } from './fake-engine.ts';
import { fakeTerminal, runState } from './support.ts';

test('a name with a character that nobody sees is not shown as another name', async () => {
  const applyRun = async () =>
    ({ outcome: 'applied', applied: ['a\u200b.txt'], leftAlone: [] }) as const;
  const terminal = fakeTerminal();
  const engine = fakeEngine({ current: runState({ goal: 'Write it' }), parts: { applyRun } });
  await main(['apply'], terminal, async () => engine);
  expect(terminal.stdout.text()).toContain('  a\\u{200b}.txt');
});
