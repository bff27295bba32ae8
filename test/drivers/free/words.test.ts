import { expect, it } from 'vitest';
import { nudge } from '../../../src/drivers/free/words.ts';
import { active, bareState, planOf, subtask, WRITE } from '../../support/run-state.ts';

it('a reminder has no gap where nothing is known to be missing', () => {
  const plan = planOf([subtask('1.1', WRITE, { status: 'in_progress' })]);
  const names = { ends_subtasks: 'done', gives_up: 'give_up' };
  const view = { state: bareState('free', { plan, active: active() }), names };
  const told = (missing: string) => nudge(view as unknown as Parameters<typeof nudge>[0], missing);
  expect(told('')).toMatch(/\. When it is done, call done; /);
  expect(told('')).not.toContain('  ');
  expect(told('a.txt is missing.')).toContain('. a.txt is missing. When it is done');
});
