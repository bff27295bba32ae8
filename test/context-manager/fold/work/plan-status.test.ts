import { describe, expect, it } from 'vitest';
import {
  claimedElsewhere,
  claimedNext,
} from '../../../../src/context-manager/fold/work/claimed.ts';
import { type Plan, subtasksOf } from '../../../../src/schema/plan.ts';
import { withAllFailed, withStatus } from '../../../../src/schema/state-parts/plan-status.ts';
import { active, bareState, claim, planOf, subtask } from '../../../support/run-state.ts';

const plan = planOf(
  ['1.1', '1.2', '1.3'].map((id) => subtask(id, undefined, { summary: `was ${id}` })),
);
const shown = (of: Plan | null) =>
  of && subtasksOf(of).map(({ id, status, summary }) => [id, status, summary].join(' '));

describe('the status of a plan', () => {
  it('changes for the subtask that is named, and its summary only where there is a new one', () => {
    expect(shown(withStatus(plan, '1.2', 'in_progress'))).toEqual([
      '1.1 pending was 1.1',
      '1.2 in_progress was 1.2',
      '1.3 pending was 1.3',
    ]);
    expect(shown(withStatus(plan, '1.2', 'completed', 'done'))?.[1]).toBe('1.2 completed done');
    expect(shown(withStatus(plan, '9.9', 'failed', 'no'))).toEqual(shown(plan));
    expect(withStatus(null, '1.1', 'failed')).toBeNull();
  });

  it('is failed for all, whatever it was, and the proof goes with it', () => {
    const done = { ...plan, proof: { cmd: 'x' } };
    const failed = withAllFailed(withStatus(done, '1.1', 'completed'), 'moved on');
    expect(shown(failed)).toEqual(['1.1', '1.2', '1.3'].map((id) => `${id} failed moved on`));
    expect(failed).not.toHaveProperty('proof');
    expect(withAllFailed(null, '')).toBeNull();
  });
});

describe('a claim that names other subtasks', () => {
  const others = claim({ others: ['1.2', '1.3'] });
  const working = (more: Parameters<typeof claim>[0], of: Plan = plan) =>
    bareState('free', {
      plan: withStatus(of, '1.1', 'in_progress'),
      active: active({ claim: claim(more) }),
    });

  it('moves the work to the first of them that is open', () => {
    const moved = claimedElsewhere(working(others));
    expect(shown(moved.plan)?.map((one) => one.split(' ')[1])).toEqual([
      ...['pending', 'in_progress', 'pending'],
    ]);
    expect(moved.active).toMatchObject({ id: '1.2', claim: { others: ['1.3'] } });
    const ended = working(others, withStatus(plan, '1.2', 'completed') as Plan);
    expect(claimedElsewhere(ended).active?.id).toBe('1.3');
  });

  it('stays where it names the active one first, none that is open, or was moved before', () => {
    for (const more of [{ others: ['1.1', '1.2'] }, { others: ['9.9'] }, {}]) {
      const state = working(more);
      expect([more, claimedElsewhere(state).active?.id]).toEqual([more, '1.1']);
      expect(claimedElsewhere(state).plan).toBe(state.plan);
    }
    const further = working({ ...others, isFurther: true });
    expect(claimedElsewhere(further).active).toBe(further.active);
  });

  it('speaks of the next one as well, without its evidence', () => {
    const state = working(others);
    const next = claimedNext(state, active({ claim: others }), 30);
    expect(next).toMatchObject({
      ...{ id: '1.2', startedSeq: 30 },
      claim: { others: ['1.3'], evidence: false, isFurther: true, checks: [] },
    });
    expect(claimedNext(state, active({ claim: claim({ others: ['1.1'] }) }), 30)).toBeNull();
    expect(claimedNext(state, active(), 30)).toBeNull();
  });
});
