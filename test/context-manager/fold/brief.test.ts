import { expect, test } from 'vitest';
import { historyWords } from '../../../src/cli/render/records/history-words.ts';
import { reduce } from '../../../src/context-manager/fold/fold.ts';
import type { Brief } from '../../../src/schema/model/brief.ts';
import { bareState } from '../../support/run-state.ts';

const quote = 'Fix add in calc.py, add(2, 3) is 5; keep data.csv';
const brief: Brief = {
  kind: 'work',
  examples: [{ quote, input: { how: 'call', name: 'add', args: [2, 3] }, gives: 5, literal: true }],
  keep: [{ path: 'data.csv', quote }],
  removes: [],
};
const stamp = { seq: 9, ts: 0, offset: 900 };
const made = { type: 'brief_made', said: { asks_for: 'work', keep: ['all'] }, brief } as const;

test('how the model reads the goal, and the parts it was shown, stand in the state', () => {
  const cut = reduce(bareState('guided'), { type: 'goal_cut', parts: [quote], ...stamp });
  expect(cut.guided.goalParts).toEqual([quote]);
  expect(cut.brief).toBeUndefined();
  expect(reduce(cut, { ...made, ...stamp }).brief).toEqual(brief);
});

test('the history says in one line how the goal was read', () => {
  expect(historyWords({ ...made, ...stamp })).toBe(
    'Reading: work; must stay: data.csv; example: add(2, 3) gives 5',
  );
});
