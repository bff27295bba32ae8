import { expect, test } from 'vitest';
import { createStyle } from '../../../../src/cli/render/text/style.ts';
import { shownPlan } from '../../../../src/cli/render/work/plan-tree.ts';
import { workTree } from '../../../../src/cli/render/work/work-tree.ts';
import type { Plan, Subtask } from '../../../../src/schema/plan.ts';

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
  const shown = shownPlan({ plan, verdict })?.tasks[0]?.subtasks.map(({ status }) => status);
  expect(shown).toEqual(['unverified', 'failed', 'completed']);
  expect(shownPlan({ plan, verdict: null })).toEqual(plan);
  expect(shownPlan({ plan: null, verdict })).toBeNull();
});

test('the proof of a plan has not failed because that of an earlier plan has', () => {
  const { glyphs } = createStyle({ LANG: 'C.UTF-8' }, 'linux', false);
  const lastLine = (cmd: string): string | undefined => {
    const proof = { kind: 'run', cmd, isGood: false, tests: undefined } as const;
    return workTree({ plan, notes: {}, proof }, glyphs).at(-1)?.text;
  };
  expect(lastLine('npm test')).toBe('✗ at the end: npm test');
  expect(lastLine('grep -L old a.js')).toBe('· at the end: npm test ends well');
});
