import { describe, expect, it } from 'vitest';
import { compactionText } from '../../src/context-manager/compaction-text.ts';
import type { DriverName } from '../../src/schema/driver.ts';
import { fc } from '../support/dice.ts';
import { settings } from '../support/run-state.ts';

describe('The text in its place', () => {
  const subtask = { id: '1.1', purpose: 'write it', checks: [] };
  const state = {
    goal: 'Create a game',
    plan: {
      tasks: [
        {
          id: '1',
          description: 'all',
          subtasks: [
            { ...subtask, status: 'completed' as const, summary: 'wrote game.py' },
            { ...subtask, id: '1.2', purpose: 'run it', status: 'in_progress' as const },
          ],
        },
      ],
      fallback: false,
    },
    active: {
      id: '1.2',
      actions: Array.from({ length: 40 }, (_, n) => ({
        id: `s${n}`,
        tool: 'run_cmd',
        target: `python t${n}.py`,
        status: 'error' as const,
        head: `exit\ncode ${n}`,
      })),
    },
    recentErrors: [],
    counters: { replans: 0 },
  } as unknown as Parameters<typeof compactionText>[0];

  it('holds goal, facts, ended subtasks and what was done', () => {
    const text = compactionText(state, 'files_exist: game.py', 8000);
    expect(text).toMatch(/^Earlier in this run/);
    for (const part of [
      'GOAL: Create a game',
      'ACTIVE SUBTASK 1.2: run it',
      'files_exist: game.py',
      'subtask 1.1 completed, write it: wrote game.py',
      '- run_cmd python t0.py (error): exit code 0',
    ])
      expect(text).toContain(part);
  });

  it('drops the oldest actions first and says how many', () => {
    const text = compactionText(state, 'files_exist: game.py', 900);
    expect(text.length).toBeLessThanOrEqual(900);
    expect(text).toMatch(/\(\d+ older lines left out\)/);
    expect(text).toContain('python t39.py');
    expect(text).not.toContain('python t0.py');
  });

  it('tells what failed before anything else is left out', () => {
    const recentErrors = ['run_cmd: exit code 3', 'check: tests did not pass'];
    const facts = `files_exist: ${Array.from({ length: 30 }, (_, n) => `file-${n}.py`).join(', ')}`;
    const errors = recentErrors.map((text, seq) => ({ text, about: text, seq }));
    const text = compactionText({ ...state, recentErrors: errors }, facts, 700);
    for (const error of recentErrors) expect(text).toContain(error);
    const [first, ...rest] = errors;
    const isMended = true as const;
    const mended = {
      ...state,
      recentErrors: [{ ...first!, text: 'it was odd', isMended }, ...rest],
    };
    expect(compactionText(mended, facts, 700, true)).not.toContain('it was odd');
    expect(compactionText(mended, facts, 700)).toContain('it was odd');
  });

  it('tells the plan that came later, since the first one is all that stays in view', () => {
    const [task] = state.plan?.tasks ?? [];
    const open = { ...subtask, id: '2.1', purpose: 'mend it', status: 'pending' as const };
    const plan = { fallback: false, tasks: [{ ...task!, subtasks: [...task!.subtasks, open] }] };
    const told = (replans: number, driver: DriverName) =>
      compactionText(
        {
          ...state,
          plan,
          settings: settings(driver),
          counters: { ...state.counters, replans },
        },
        '',
        2000,
      );
    expect(told(1, 'guided')).toContain('STILL TO DO: mend it');
    expect(told(0, 'guided')).not.toContain('mend it');
    // A model that leads has set it by a call, which does not stay.
    expect(told(0, 'free')).toContain('STILL TO DO: mend it');
  });

  it('is the same each time, and bounded for any goal and facts', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 3000 }),
        fc.string({ maxLength: 3000 }),
        fc.integer({ min: 300, max: 3000 }),
        (goal, facts, max) => {
          const text = compactionText({ ...state, goal }, facts, max);
          expect(text.length).toBeLessThanOrEqual(max);
          expect(compactionText({ ...state, goal }, facts, max)).toBe(text);
        },
      ),
    );
  });
});
