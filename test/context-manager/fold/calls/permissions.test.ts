import { expect, test } from 'vitest';
import { foldPermissions } from '../../../../src/context-manager/fold/calls/permissions.ts';
import { FORESEEN } from '../../../../src/schema/state-parts/refused.ts';
import { active, bareState, claim } from '../../../support/run-state.ts';

const request = { id: 'p1', tool: 'run_cmd', target: 'make', reason: '', rules: ['make'] };

const regained = (subtask: string, isOpen: boolean): boolean | undefined =>
  foldPermissions(
    bareState('free', {
      active: active({ claim: claim({ isOpen }) }),
      refused: [{ subtask, tool: 'run_cmd', target: 'make', wish: 'p1' }],
      permissions: {
        ...{ open: [{ ...request, isNoted: true }], answers: [], rules: [] },
        ...{ isRegained: false, taken: null },
      },
    }),
    { type: 'approval_given', id: 'p1', allowed: true, why: '', mac: 'm' },
  ).permissions?.isRegained;

test('a yes is told to the model whose call was refused, also while a claim waits for its checks', () => {
  expect(regained('1.1', true)).toBe(true);
  expect(regained('1.1', false)).toBe(true);
});

test('a yes for what only a check runs needs no word: the check of the open claim runs now', () => {
  expect(regained(FORESEEN, true)).toBe(false);
});
