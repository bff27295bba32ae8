import { describe, expect, it, test } from 'vitest';
import type { RunState } from '../../../src/schema/state.ts';
import {
  hasChanged,
  hasLooked,
  isOnlyAnswer,
  mayAnswer,
} from '../../../src/steps/gate/answered.ts';
import { bareState, file, planOf, RUN, subtask, WRITE } from '../../support/run-state.ts';

const state = (more: Partial<RunState> = {}): RunState => bareState('free', more);
const { commandChanges: NONE } = state();
const wrote = (more: Parameters<typeof file>[0]): Partial<RunState> => ({
  files: { 'a.txt': file(more) },
});
const byCommand = (isUnseen: boolean): Partial<RunState> => ({
  commandChanges: {
    ...NONE,
    files: { 'a.txt': { before: null, after: 'x', seq: 1, isUnseen } },
  },
});

describe('a run has changed something', () => {
  test.each<[string, boolean, Partial<RunState>]>([
    [
      'a file that it wrote holds something else now',
      true,
      wrote({ baseline: 'old', hash: 'new' }),
    ],
    [
      'it made what a file holds, the same as before',
      true,
      wrote({ baseline: 'a', hash: 'a', isOwn: true }),
    ],
    ['it wrote what was there', false, wrote({ baseline: 'a', hash: 'a' })],
    [
      'it only read a file that somebody changed',
      false,
      wrote({ written: false, baseline: 'a', hash: 'b' }),
    ],
    ['a command changed a file', true, byCommand(false)],
    ['a command made a file that nobody looks at', false, byCommand(true)],
    [
      'a command changed what is not kept',
      true,
      { commandChanges: { ...NONE, uncovered: { b: 'made' } } },
    ],
    ['more was changed than the state names', true, { commandChanges: { ...NONE, more: 1 } }],
    ['nothing happened', false, {}],
  ])('%s: %s', (_what, is, more) => expect(hasChanged(state(more))).toBe(is));
});

it('all that can be claimed is an answer where nothing was changed and no proof is red', () => {
  const answered = state({ answer: { text: '42', offset: 0 } as never });
  const red = { cmd: 'x', passed: false } as never;
  const green = { cmd: 'x', passed: true } as never;
  expect(isOnlyAnswer(answered)).toBe(true);
  expect(isOnlyAnswer({ ...answered, proof: green })).toBe(true);
  expect(isOnlyAnswer({ ...answered, proof: red })).toBe(false);
  expect(isOnlyAnswer({ ...answered, ...wrote({ baseline: 'old' }) })).toBe(false);
  expect(isOnlyAnswer(state())).toBe(false);
});

describe('a text may be the answer', () => {
  const looked = (plan: RunState['plan'], more: Partial<RunState> = {}): RunState =>
    state({ plan, ...wrote({ written: false }), ...more });
  const runs = planOf([subtask('1.1', RUN)]);
  test.each<[string, boolean, RunState]>([
    ['of a plan that only looks', true, looked(runs)],
    ['where nothing was looked at', false, state({ plan: runs })],
    ['of a plan with a proof', false, looked({ ...runs, proof: { cmd: 'x' } })],
    ['of a plan that makes a file', false, looked(planOf([subtask('1.1', WRITE)]))],
    ['of a plan that names a file', false, looked(planOf([subtask('1.1', RUN, { files: ['a'] })]))],
    ['where something was changed', false, looked(runs, wrote({ baseline: 'old' }))],
    ['without a plan', false, looked(null)],
    ['where that is all that was wanted', true, state({ wants: 'answer' })],
    ['where the plan says so', true, state({ plan: planOf([], { answer_only: true }) })],
  ])('%s: %s', (_what, is, given) => expect(mayAnswer(given)).toBe(is));

  it('after any look at all', () => {
    const { counters } = state();
    expect(hasLooked(state())).toBe(false);
    for (const more of [{ actions: 1 }, { commands: 1 }])
      expect(hasLooked(state({ counters: { ...counters, ...more } }))).toBe(true);
  });
});
