import { expect, test } from 'vitest';
import { shownPlan } from '../../../../src/cli/render/work/plan-tree.ts';
import type { Plan } from '../../../../src/schema/plan.ts';
import type { RunState } from '../../../../src/schema/state.ts';

const plan: Plan = {
  tasks: [
    {
      id: '1',
      description: 'a',
      subtasks: [
        { id: '1.1', purpose: 'b', checks: [], status: 'unverified' },
        { id: '1.2', purpose: 'c', checks: [], status: 'failed' },
      ],
    },
  ],
  proof: { cmd: 'npm test' },
  fallback: false,
};

const statuses = (ended: RunState['ended']) =>
  shownPlan({ plan, ended })?.tasks[0]?.subtasks.map(({ status }) => status);

test('beside a proof that covers the plan nothing of it is shown as open', () => {
  expect(statuses({ ending: 'achieved', detail: '' })).toEqual(['completed', 'failed']);
  expect(statuses({ ending: 'unverified', detail: '' })).toEqual(['unverified', 'failed']);
  expect(statuses(null)).toEqual(['unverified', 'failed']);
  expect(shownPlan({ plan: null, ended: null })).toBeNull();
});
