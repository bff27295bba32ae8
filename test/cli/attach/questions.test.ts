import { expect, test } from 'vitest';
import { AttachedQuestions } from '../../../src/cli/attach/questions.ts';
import { QUIET_MS } from '../../../src/cli/questions/quiet-keys.ts';
import { QUESTION, StandingClock } from '../../support/live-channel.ts';
import { fakeTerminal } from '../support.ts';

test.each([
  ['another one', 'call'],
  ['the same one anew', 'plan'],
])('a settled question is over when %s comes: a key answers one of them', async (_, next) => {
  const made = fakeTerminal({ isTerminal: true });
  const standing = new StandingClock();
  const listeners = new Set<(key: string) => void>();
  const terminal = {
    ...made,
    clock: { ...made.clock, sleep: standing.sleep },
    keys: (listener: (key: string) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const answered: string[] = [];
  const questions = new AttachedQuestions({
    ...{ terminal, lasting: 'this run', note: () => {}, hold: () => () => {} },
    answer: async (id) => {
      answered.push(id);
      return { how: 'taken' };
    },
  });
  const first = questions.put({ ...QUESTION, id: 'plan' });
  questions.settled('plan');
  const second = questions.put({ ...QUESTION, id: next });
  await first;
  standing.pass(500);
  await Promise.resolve();
  expect(listeners.size).toBe(1);
  made.advance(QUIET_MS);
  for (const listener of listeners) listener('y');
  await second;
  expect(answered).toEqual([next]);
  expect(questions.isAsking).toBe(false);
});
