import { describe, expect, it, test } from 'vitest';
import type { RunState } from '../../../src/schema/state.ts';
import { beforeFailing, lastLookStep } from '../../../src/steps/gate/failing.ts';
import type { Step } from '../../../src/steps/step.ts';
import {
  bareState,
  command,
  file,
  planOf,
  RUN,
  failed as ranBadly,
  subtask,
  WRITE,
} from '../../support/run-state.ts';

const failed: Step = { do: 'finish', ending: 'failed', detail: 'it does not work' };
const proof = (seq: number): RunState['proof'] =>
  ({ passed: false, cmd: 'make', runs: [{ seq }] }) as unknown as RunState['proof'];
const state = (more: Partial<RunState>, hasProof = true): RunState =>
  bareState('free', {
    plan: planOf([subtask('1.1', RUN)], hasProof ? { proof: { cmd: 'make' } } : {}),
    ...more,
  });

describe('before a run is called failed its proof', () => {
  test.each<[string, boolean, RunState]>([
    ['is run where nobody ran it', true, state({ changedAt: 5 })],
    ['is run again after a change', true, state({ changedAt: 5, proof: proof(4) })],
    [
      'is not run again where nothing changed since',
      false,
      state({ changedAt: 5, proof: proof(6) }),
    ],
    ['is not run where nothing was changed at all', false, state({ changedAt: 0 })],
    ['is not run where the plan has none', false, state({ changedAt: 5 }, false)],
    ['is not run without a plan', false, state({ changedAt: 5, plan: null })],
  ])('%s', (_what, isRun, given) => {
    expect(beforeFailing(failed, given)).toEqual(
      isRun ? { do: 'prove', why: 'it does not work' } : failed,
    );
  });

  it('is called unverified where all was written, and only a program was missing', () => {
    const missing = command('make', { status: 'error', exitCode: null, wasStarted: false });
    const all = (more: Partial<RunState>): RunState =>
      state({
        plan: planOf([subtask('1.1', WRITE), subtask('1.2', RUN)]),
        ...{ files: { 'hello.mjs': file() }, commands: [missing], ...more },
      });
    expect(beforeFailing(failed, all({}))).toEqual({
      ...{ do: 'finish', ending: 'unverified' },
      detail: 'all else was done, but this could not be run here: make',
    });
    for (const more of [
      { files: {} },
      { files: { 'hello.mjs': file({ hash: null }) } },
      { commands: [missing, ranBadly('node hello.mjs')] },
      { commands: [] },
    ])
      expect(beforeFailing(failed, all(more))).toEqual(failed);
  });

  it('is of no interest to another step', () => {
    const done: Step = { do: 'finish', ending: 'unverified', detail: '' };
    expect(beforeFailing(done, state({ changedAt: 5 }))).toBe(done);
  });

  it('has the last word', () => {
    const look = (passed: boolean): RunState =>
      state({ finalProof: { passed, why: 'it fails' } as unknown as RunState['finalProof'] });
    expect(lastLookStep(state({}))).toBeNull();
    expect(lastLookStep(look(true))).toMatchObject({
      ...{ ending: 'achieved', detail: 'proof passed: make' },
    });
    expect(lastLookStep(look(false))).toMatchObject({ ending: 'failed', detail: 'it fails' });
    const red = { passed: false, text: 'make: no rule', runs: [] };
    const alone = state({ proof: red, finalProof: { passed: false, why: '' } });
    expect(lastLookStep(alone)).toMatchObject({
      ...{ ending: 'failed', detail: 'the proof did not pass: make: no rule' },
    });
  });
});
