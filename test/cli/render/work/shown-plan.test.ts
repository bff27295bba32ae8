import { expect, test } from 'vitest';
import { createStyle } from '../../../../src/cli/render/text/style.ts';
import { shownPlan } from '../../../../src/cli/render/work/plan-tree.ts';
import { workTree } from '../../../../src/cli/render/work/work-tree.ts';
import type { Plan, Subtask } from '../../../../src/schema/plan.ts';
import type { RunState } from '../../../../src/schema/state.ts';

const subtask = (id: string, status: Subtask['status']): Subtask => ({
  ...{ id, purpose: 'b', checks: [], status },
});
const plan: Plan = {
  tasks: [
    {
      id: '1',
      description: 'a',
      subtasks: [
        subtask('1.1', 'completed'),
        subtask('1.2', 'failed'),
        subtask('1.3', 'completed'),
      ],
    },
  ],
  proof: { cmd: 'npm test' },
  fallback: false,
};

test('a subtask that the proof does not show is not shown as the others', () => {
  const beyond = { files: [], subtasks: ['1.1'] };
  const verdict = { isProved: true, words: '', named: [], beyond };
  const shown = shownPlan({ plan, verdict, ended: null })?.tasks[0]?.subtasks.map(
    ({ status }) => status,
  );
  expect(shown).toEqual(['unverified', 'failed', 'completed']);
  expect(shownPlan({ plan, verdict: null, ended: null })).toEqual(plan);
  expect(shownPlan({ plan: null, verdict, ended: null })).toBeNull();
});

test('no subtask is in progress once the run has ended', () => {
  const [task] = plan.tasks;
  const tasks = [{ ...task, id: '1', description: 'a', subtasks: [subtask('1.1', 'in_progress')] }];
  const statusWith = (ended: RunState['ended']) =>
    shownPlan({ plan: { ...plan, tasks }, verdict: null, ended })?.tasks[0]?.subtasks[0]?.status;
  expect(statusWith(null)).toBe('in_progress');
  expect(statusWith({ ending: 'failed', detail: '' } as RunState['ended'])).toBe('pending');
});

test('the proof of a plan has not failed because that of an earlier plan has', () => {
  const { glyphs } = createStyle(
    { env: { LANG: 'C.UTF-8' }, platform: 'linux' },
    { isTerminal: false },
  );
  const lastLine = (cmd: string): string | undefined => {
    const proof = { kind: 'run', cmd, isGood: false, tests: undefined } as const;
    return workTree({ plan, notes: {}, proof }, glyphs).at(-1)?.text;
  };
  expect(lastLine('npm test')).toBe('✗ at the end: npm test');
  expect(lastLine('grep -L old a.js')).toBe('· at the end: npm test ends well');
});
