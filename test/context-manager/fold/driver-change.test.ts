import { describe, expect, it } from 'vitest';
import { reduce } from '../../../src/context-manager/fold/fold.ts';
import { guided } from '../../../src/drivers/guided/guided.ts';
import type { DriverName } from '../../../src/schema/driver.ts';
import { next } from '../../../src/steps/next.ts';
import { active, bareState, planOf, settings, subtask, WRITE } from '../../support/run-state.ts';

const failedOnce = bareState('free', {
  plan: planOf([subtask('1.1', WRITE, { status: 'in_progress' })]),
  active: active({ reportedFailures: 1 }),
});

const settingsAs = (driver: DriverName) =>
  reduce(failedOnce, {
    type: 'settings_changed',
    ...settings(driver),
    seq: 9,
    ts: 0,
    offset: 900,
  });

describe('a change of the driver', () => {
  it('forgets a failure that was reported before it: the planned file is asked for', () => {
    const state = settingsAs('guided');
    expect(state.active?.reportedFailures).toBe(0);
    expect(next(state, { maxRounds: 24 }, guided)).toMatchObject({
      do: 'open_round',
      origin: 'planned',
    });
  });

  it('is none where only other settings change', () => {
    expect(settingsAs('free').active?.reportedFailures).toBe(1);
  });
});
