/** A subtask in words -> what speaks against calling it complete, and whose result before the run is wanted. */
import { describe, expect, it } from 'vitest';
import type { RunState } from '../../../src/schema/state.ts';
import { completionGate } from '../../../src/steps/gate/gate.ts';
import { failureUnseenBefore } from '../../../src/steps/gate/gate-of-words.ts';
import {
  action,
  active,
  bareState,
  command,
  failed,
  file,
  planOf,
  settings,
  subtask,
  WRITE,
} from '../../support/run-state.ts';

const DOING = { status: 'in_progress' } as const;
const ran = (cmd: string) =>
  active({ succeeded: 1, actions: [action('run_cmd', cmd, { status: 'error' })] });
const state = (more: Partial<RunState> = {}, own: Parameters<typeof subtask>[2] = {}): RunState =>
  bareState('free', {
    plan: planOf([subtask('1.1', undefined, { ...DOING, ...own })]),
    ...more,
  });
const refused = [{ subtask: '1.1', tool: 'run_cmd', target: 'npm i', offset: 1 }];

describe('the gate of a subtask in words', () => {
  it('names what was refused before tests failed, and not before another program did', () => {
    const gateAfter = (cmd: string) =>
      completionGate(state({ refused, active: ran(cmd), commands: [failed(cmd, { offset: 9 })] }));
    expect(gateAfter('node --test')).toMatchObject({
      reason: expect.stringContaining('npm i was refused'),
    });
    expect(gateAfter('node a.mjs')).toMatchObject({ reason: expect.not.stringContaining('npm i') });
  });

  it('has no evidence of its own for a work that a call was refused of', () => {
    const written = {
      files: { 'a.txt': file({ written: true }) },
      active: active({ succeeded: 1 }),
    };
    const own = { files: ['a.txt'] };
    expect(completionGate(state(written, own))).toEqual({ allows: true, evidence: true });
    expect(completionGate(state({ ...written, refused }, own))).toEqual({
      allows: true,
      evidence: false,
    });
  });

  it('is no gate of a guided subtask that only has no step', () => {
    const guided = { ...state({ active: active() }), settings: settings('guided') };
    expect(completionGate(guided, { hasReason: true }).allows).toBe(false);
    const answering = { ...guided, plan: guided.plan && { ...guided.plan, answer_only: true } };
    expect(completionGate(answering, { hasReason: true })).toEqual({
      allows: true,
      evidence: false,
    });
  });

  it.each([
    ['nothing was done', active(), false],
    ['a file was read', active({ succeeded: 1 }), true],
  ])('of a question, where %s', (_what, given, evidence) => {
    const asked = state({ active: given });
    const plan = asked.plan && { ...asked.plan, answer_only: true };
    expect(completionGate({ ...asked, plan }, { hasReason: true })).toEqual({
      allows: true,
      evidence,
    });
  });

  it('is open for an answer where one may be given, once something was looked at', () => {
    const files = { 'a.txt': file({ written: false }) };
    const said = { hasAnswer: true };
    const asked = state({ active: active(), files });
    expect(completionGate(asked, said)).toEqual({ allows: true, evidence: true });
    expect(completionGate(asked, {}).allows).toBe(false);
    expect(completionGate(state({ active: active() }), said).allows).toBe(false);
  });

  it('counts as work what the model itself ran, and what it changed', () => {
    const gate = (more: Partial<RunState>) => completionGate(state(more), { hasReason: true });
    const own = active({ succeeded: 1, actions: [action('run_cmd', 'make')] });
    expect(gate({ active: own, commands: [command('make')] })).toMatchObject({ evidence: true });
    // A check of the engine.
    expect(gate({ active: active({ succeeded: 1 }), commands: [command('make')] })).toMatchObject({
      evidence: false,
    });
    const wrote = (status: 'ok' | 'error') =>
      active({ succeeded: 1, actions: [action('write_file', 'a.txt', { status })] });
    expect(gate({ active: wrote('ok') })).toMatchObject({ evidence: true });
    expect(gate({ active: wrote('error') })).toMatchObject({ evidence: false });
  });
});

describe('how tests ended before the run', () => {
  const red = (more: Parameters<typeof failed>[1] = {}): Partial<RunState> => ({
    active: ran('node --test'),
    commands: [failed('node --test', { failingNow: ['a'], ...more })],
  });

  it.each<[string, RunState, boolean]>([
    ['is wanted where they close the gate', state(red()), true],
    [
      'is not where none tells what fails now',
      state({ ...red(), commands: [failed('node --test')] }),
      false,
    ],
    [
      'is not where they ran otherwise than they were typed',
      state(red({ isAsTyped: false })),
      false,
    ],
    [
      'is not where it is known',
      state({ ...red(), failedBefore: { 'node --test': { exitCode: 1, failing: [] } } }),
      false,
    ],
    ['is not where nothing is active', { ...state(red()), active: null }, false],
    ['is not for a subtask with a step', state(red(), { step: WRITE }), false],
    ['is not where a model is led', { ...state(red()), settings: settings('guided') }, false],
  ])('%s', (_what, given, isWanted) => {
    expect(failureUnseenBefore(given)).toBe(isWanted ? 'node --test' : null);
  });
});
