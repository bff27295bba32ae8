/** A claim -> its checks, and how its subtask ends. */
import { describe, expect, it } from 'vitest';
import type { RunState, SubtaskClaim } from '../../../src/schema/state.ts';
import { claimStep, dueChecks } from '../../../src/steps/gate/claim.ts';
import { PATIENCE } from '../../../src/steps/step.ts';
import {
  active,
  bareState,
  claim,
  counters,
  failed,
  planOf,
  subtask,
  WRITE,
} from '../../support/run-state.ts';

const CHECK = { type: 'file_exists' as const, path: 'a.txt' };
const OPEN = { status: 'in_progress' } as const;
const PASSED = { passed: true } as SubtaskClaim['checks'][number];
const BROKEN = { passed: false } as SubtaskClaim['checks'][number];
const REPORT = 'It is said in a.txt.';

const claimed = (more: Partial<SubtaskClaim>, rest: Partial<RunState> = {}): RunState =>
  bareState('free', {
    plan: planOf([subtask('1.1', undefined, { ...OPEN, checks: [CHECK] })], {
      proof: { cmd: 'make' },
    }),
    active: active({ succeeded: 1, claim: claim({ checks: [PASSED, PASSED], ...more }) }),
    ...rest,
  });
const failures = (state: RunState, checkFailures: number): RunState => ({
  ...state,
  active: state.active && { ...state.active, checkFailures },
});
const step = (state: RunState, mendsByItself = true) =>
  claimStep(state, { mendsByItself } as never);

describe('a claim', () => {
  it('has its checks run, and then the proof', () => {
    expect(step(claimed({ checks: [] }))).toEqual({ do: 'check', index: 0 });
    expect(step(claimed({ checks: [PASSED] }))).toEqual({ do: 'check', index: 1 });
    expect(step(claimed({}))).toMatchObject({ do: 'finish_subtask', status: 'completed' });
    expect(step(claimed({ evidence: false }))).toMatchObject({ status: 'unverified' });
  });

  it('without evidence has no check of the planned file, which may have been a guess', () => {
    const other = { ...CHECK, path: 'b.txt' };
    const program = { type: 'command_succeeds' as const, cmd: 'make' };
    const checks = [{ ...CHECK, path: 'hello.mjs' }, other, program] as never;
    const plan = planOf([subtask('1.1', WRITE, { ...OPEN, checks })]);
    const due = (evidence: boolean) =>
      dueChecks(claimed({ evidence }, { plan })).map(({ check }) => check);
    expect(due(true)).toEqual(checks);
    expect(due(false)).toEqual([other, program]);
  });

  it('is none without an open one', () => {
    expect(step(claimed({ isOpen: false }))).toBeNull();
    expect(step({ ...claimed({}), active: null })).toBeNull();
    expect(step(claimed({ success: false }))).toBeNull();
  });

  it('gives its report and its answer, once with the last of several subtasks', () => {
    const given = { report: REPORT, answer: 'Four.' } as Partial<SubtaskClaim>;
    expect(step(claimed(given))).toMatchObject({ report: REPORT, answer: 'Four.' });
    const first = step(claimed({ ...given, others: ['1.2'] }));
    expect(first).toMatchObject({ answer: null, summary: 'it works' });
    expect(first).not.toHaveProperty('report');
  });

  it('says nothing where a call of its own reply was refused', () => {
    const refused = [{ subtask: '1.1', tool: 'run_cmd', target: 'npm i', turn: 3 }];
    const early = { refused, counters: counters({ turns: 3 }) };
    const ended = step(claimed({ report: REPORT } as Partial<SubtaskClaim>, early));
    expect(ended).toMatchObject({ do: 'finish_subtask', summary: '' });
    expect(ended).not.toHaveProperty('report');
  });

  it('that a check does not hold for is told to a model that mends by itself, and a few times to another one', () => {
    const broken = claimed({ checks: [BROKEN] });
    expect(step(failures(broken, 99))).toEqual({ do: 'tell_failed_check', isProof: false });
    expect(step(failures(broken, PATIENCE.checkFailures - 1), false)).toMatchObject({
      do: 'tell_failed_check',
    });
    expect(step(failures(broken, PATIENCE.checkFailures), false)).toMatchObject({
      status: 'unverified',
    });
    const proof = failures(claimed({ checks: [PASSED, BROKEN] }), PATIENCE.checkFailures);
    expect(step(proof)).toEqual({ do: 'tell_failed_check', isProof: true });
    expect(step(proof, false)).toMatchObject({ status: 'completed' });
  });

  it('ends where the program of the proof is missing, but not where that of a check is', () => {
    const missing = {
      commands: [failed('make', { wasStarted: false, status: 'error', exitCode: null })],
    };
    expect(step(claimed({ checks: [PASSED, BROKEN] }, missing))).toMatchObject({
      status: 'completed',
    });
    expect(step(claimed({ checks: [PASSED, BROKEN], evidence: false }, missing))).toMatchObject({
      status: 'unverified',
    });
    expect(step(claimed({ checks: [BROKEN] }, missing))).toMatchObject({ do: 'tell_failed_check' });
  });

  it('of a further subtask needs evidence of its own', () => {
    const further = { isFurther: true, checks: [PASSED, PASSED] } as Partial<SubtaskClaim>;
    const plan = planOf([subtask('1.1', WRITE, { ...OPEN, checks: [CHECK] })], {
      proof: { cmd: 'make' },
    });
    expect(step(claimed(further, { plan }))).toMatchObject({ do: 'refuse_claim' });
  });

  it('is not made without a call that a person may still allow, where the model does not mend by itself', () => {
    const refused = [{ subtask: '1.1', tool: 'run_cmd', target: 'npm i', wish: 'w1' }];
    const permissions = { open: [{ id: 'w1', isNoted: true, rules: [] }] } as never;
    const given = claimed({ success: false }, { refused, permissions });
    expect(step(given, false)).toMatchObject({ do: 'finish_subtask', status: 'unverified' });
    expect(step(given)).toBeNull();
    expect(step({ ...given, refused: [] }, false)).toBeNull();
    for (const more of [{ others: ['1.2'] }, { isFurther: true }] as const) {
      const own = {
        ...given,
        active: given.active && {
          ...given.active,
          claim: claim({ success: false, ...more } as never),
        },
      };
      expect(step(own, false)).toBeNull();
    }
  });
});
