import { describe, expect, it, test } from 'vitest';
import { refusedAfter, withRefused } from '../../../../src/context-manager/fold/calls/refused.ts';
import type { Touches } from '../../../../src/schema/actions.ts';
import type { JournalRecord, Located } from '../../../../src/schema/records.ts';
import type { RunState } from '../../../../src/schema/state.ts';
import type { RefusedCall } from '../../../../src/schema/state-parts/refused.ts';
import { active, bareState, claim, planOf, subtask } from '../../../support/run-state.ts';

const call = (more: Partial<RefusedCall> = {}): RefusedCall => ({
  ...{ subtask: '1.1', tool: 'run_cmd', target: 'make', turn: 1, offset: 10 },
  ...more,
});
const located = (record: JournalRecord): Located => ({ ...record, seq: 9, ts: 0, offset: 90 });
const state = (refused: readonly RefusedCall[], more: Partial<RunState> = {}): RunState =>
  bareState('free', {
    ...{ refused, active: active({ succeeded: 1 }) },
    ...more,
  });
const ended = (status: 'completed' | 'unverified'): Located =>
  located({ type: 'subtask_finished', subtask: '1.1', status, summary: '' });

describe('a refused call, when its subtask ends', () => {
  const look = call({ target: 'ls', isReadOnly: true });
  const elsewhere = call({ subtask: '1.2', target: 'ls', isReadOnly: true });

  it('as completed: a look is forgotten, and nothing else is', () => {
    const refused = [call(), look, elsewhere];
    expect(refusedAfter(state(refused), ended('completed'))).toEqual([call(), elsewhere]);
  });

  it('as not verified: what an earlier reply was refused was got round, by work that was done', () => {
    const refused = [call(), elsewhere];
    const gotRound = [call({ isGotRound: true }), elsewhere];
    expect(refusedAfter(state(refused), ended('unverified'))).toEqual(gotRound);
  });

  test.each<[string, RefusedCall, Partial<RunState>]>([
    ['in the same reply', call({ turn: 0 }), {}],
    ['with no other work', call(), { active: active({ succeeded: 0 }) }],
    [
      'by a model that says it failed',
      call(),
      { active: active({ succeeded: 1, claim: claim({ success: false }) }) },
    ],
    ['and it is of another subtask', call({ subtask: '1.2' }), {}],
  ])('%s: it was not got round', (_what, one, more) => {
    const refused = [one];
    expect(refusedAfter(state(refused, more), ended('unverified'))).toBe(refused);
  });
});

describe('a refused call, when the plan changes', () => {
  const plan = planOf([subtask('1.1', undefined)]);
  const refused = [
    call(),
    call({ subtask: '1.2', wish: 'p1' }),
    call({ subtask: '1.3' }),
    call({ subtask: '', wish: 'p2' }),
  ];

  it('stays with its subtask, and where it was noted also over a new plan', () => {
    const targets = (record: JournalRecord) =>
      refusedAfter(state(refused), located(record)).map((one) => one.subtask);
    expect(targets({ type: 'plan_set', plan, why: '' })).toEqual(['1.1']);
    expect(targets({ type: 'replanned', plan, why: '' })).toEqual(['1.1', '1.2']);
  });
});

describe('a refused program that a tool replaces', () => {
  const wrote = (
    hashes: Record<string, string | null>,
    by: { tool: string; touches: Touches } = { tool: 'edit_file', touches: 'files' },
  ): Located =>
    located({
      ...{ type: 'action_finished', id: '1.1#2#0', ...by, target: '' },
      ...{
        signature: 's',
        callId: 'c',
        status: 'ok',
        result: '',
        resultHash: 'h',
        facts: {},
        hashes,
      },
    });
  const sed = call({ target: 'sed -i s/a/b/ a.py b.py', turn: 0, left: ['a.py', 'b.py'] });
  const mkdir = call({ target: 'mkdir -p docs/x', left: ['docs/x/'] });
  const rm = call({ target: 'rm old.py', left: ['old.py'] });
  const afterTool = (one: RefusedCall, ...[hashes, by]: Parameters<typeof wrote>) =>
    refusedAfter(
      state([one], { counters: { ...bareState('free').counters, turns: 1 } }),
      wrote(hashes, by),
    );

  it('is made up for once tools have changed all that it named, in a later reply', () => {
    const [half] = afterTool(sed, { 'a.py': 'h' });
    expect(half).toEqual({ ...sed, left: ['b.py'] });
    expect(afterTool(half ?? sed, { 'b.py': 'h' })).toEqual([]);
    expect(afterTool({ ...sed, turn: 1 }, { 'a.py': 'h', 'b.py': 'h' })).toHaveLength(1);
  });

  it('is made up for at once by what leaves no doubt: a file that is gone, a folder that is there', () => {
    expect(afterTool(mkdir, { 'docs/x/a.md': 'h' })).toEqual([]);
    expect(afterTool(mkdir, { 'docs/y.md': 'h' })).toEqual([mkdir]);
    expect(afterTool({ ...rm, turn: 1 }, { 'old.py': null })).toEqual([]);
    expect(afterTool({ ...rm, turn: 1 }, { 'old.py': 'h' })).toHaveLength(1);
  });

  it('is made up for by nothing else', () => {
    expect(afterTool(rm, { 'new.py': 'h' })).toEqual([rm]);
    expect(afterTool(rm, { 'old.py': null }, { tool: 'run_cmd', touches: 'process' })).toEqual([
      rm,
    ]);
    expect(afterTool(call(), { make: 'h' })).toEqual([call()]);
  });
});

it('a folder of programs is no call of a subtask, whatever is said of it', () => {
  const noted = located({
    ...{ type: 'permission_noted', id: 'p1', tool: 'programs', target: '.venv (python)' },
    ...{ reason: '', rules: ['programs(.venv)'] },
  });
  const [one, ...more] = refusedAfter(state([]), noted);
  expect([one?.subtask, more]).toEqual(['', []]);
  const request = { id: 'p1', tool: 'programs', target: '.venv (python)', reason: '', rules: [] };
  const open = [{ ...request, isNoted: false }];
  const permissions = { open, answers: [], rules: [], isRegained: false, taken: null };
  const no = located({ type: 'approval_given', id: 'p1', allowed: false, why: '', mac: 'm' });
  expect(refusedAfter(state([], { permissions }), no)).toEqual([]);
});

it('a list without calls is no part of the state, and the same list changes nothing', () => {
  const before = state([call()]);
  expect(withRefused(before, before.refused ?? [])).toBe(before);
  expect(withRefused(before, [])).not.toHaveProperty('refused');
  const many = Array.from({ length: 60 }, (_, n) => call({ target: String(n) }));
  expect(withRefused(before, many).refused?.map(({ target }) => target)).toEqual(
    many.slice(-50).map(({ target }) => target),
  );
});
