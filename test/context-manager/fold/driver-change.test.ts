import { describe, expect, it } from 'vitest';
import { reduce } from '../../../src/context-manager/fold/fold.ts';
import { guided } from '../../../src/drivers/guided/guided.ts';
import type { DriverName } from '../../../src/schema/driver.ts';
import type { MessageCause } from '../../../src/schema/model/message-cause.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { next } from '../../../src/steps/next.ts';
import { active, bareState, planOf, settings, subtask, WRITE } from '../../support/run-state.ts';

const failedOnce = bareState('free', {
  plan: planOf([subtask('1.1', WRITE, { status: 'in_progress' })]),
  active: active({ reportedFailures: 1 }),
});

const changedTo = (driver: DriverName, state: RunState = failedOnce) =>
  reduce(state, {
    type: 'settings_changed',
    ...settings(driver),
    seq: 9,
    ts: 0,
    offset: 900,
  });

describe('a change of the driver', () => {
  it('forgets a failure that was reported before it: the planned file is asked for', () => {
    const state = changedTo('guided');
    expect(state.active?.reportedFailures).toBe(0);
    expect(next(state, { maxRounds: 24 }, guided)).toMatchObject({
      do: 'open_round',
      origin: 'planned',
    });
  });

  it('forgets how many calls could be read under the driver before, which a mere resume keeps', () => {
    const state = { ...failedOnce, counters: { ...failedOnce.counters, readCalls: 3 } };
    expect(changedTo('guided', state).counters.readCalls).toBe(0);
    expect(changedTo('free', state).counters.readCalls).toBe(3);
  });

  it('leads back out of the branch of a repair, which only the driver before would close', () => {
    const main: RunState['conversation'] = [
      { seq: 3, offset: 3, role: 'user', cause: 'plan_question', length: 9 },
    ];
    const state = { ...failedOnce, mainConversation: main, conversation: [] };
    expect(changedTo('guided', state)).toMatchObject({
      conversation: main,
      mainConversation: null,
    });
    expect(changedTo('free', state)).toMatchObject({ conversation: [], mainConversation: main });
  });

  it('leaves no question open whose answer only the driver before would read', () => {
    const said = (seq: number, cause: MessageCause | null, role: 'user' | 'assistant' = 'user') =>
      ({ seq, offset: seq, role, cause, length: 9 }) as const;
    const begun = [
      said(3, 'plan_question'),
      said(4, null, 'assistant'),
      said(5, 'subtask_started'),
    ];
    const asked = { ...failedOnce, conversation: [...begun, said(6, 'content_question')] };
    expect(changedTo('guided', asked).conversation).toEqual(begun);
    expect(changedTo('free', asked).conversation).toEqual(asked.conversation);
    const answered = [...asked.conversation, said(7, null, 'assistant')];
    const { conversation } = changedTo('guided', { ...asked, conversation: answered });
    expect(conversation).toEqual(answered);
  });

  it('is none where only other settings change', () => {
    expect(changedTo('free').active?.reportedFailures).toBe(1);
  });
});
