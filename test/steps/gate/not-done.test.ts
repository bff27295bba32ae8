/** State -> what is not done, and which refused calls it names. */
import { describe, expect, it } from 'vitest';
import type { RunState } from '../../../src/schema/state.ts';
import type { RefusedCall } from '../../../src/schema/state-parts/refused.ts';
import {
  doneText,
  hasOpenRefusal,
  isClaimedTooEarly,
  isWaiting,
  neededPermissions,
  notDone,
  notDoneBeside,
  notDoneText,
  openSubtasksText,
  permittedStep,
  refusedUntil,
  rulesForNotDone,
} from '../../../src/steps/gate/not-done.ts';
import { bareState, counters, planOf, subtask } from '../../support/run-state.ts';

const refused = (target: string, more: Partial<RefusedCall> = {}): RefusedCall => ({
  ...{ subtask: '1.1', tool: 'run_cmd', target },
  ...more,
});
const wish = (id: string, ...rules: readonly string[]) => ({
  ...{ id, tool: 'run_cmd', target: id, reason: 'it asks', rules: [...rules], isNoted: true },
});
const wishing = (...open: readonly ReturnType<typeof wish>[]): Pick<RunState, 'permissions'> => ({
  permissions: { open } as never,
});
type Status = Parameters<typeof subtask>[2];
/** Two subtasks with these facts. */
const state = (one: Status, two: Status, more: Partial<RunState> = {}): RunState =>
  bareState('free', {
    plan: planOf([subtask('1.1', undefined, one), subtask('1.2', undefined, two)]),
    ...more,
  });
const DONE = { status: 'completed' } as const;
const UNSHOWN = { status: 'unverified' } as const;
const FAILED = { status: 'failed', summary: 'it cannot be' } as const;

describe('how much is done', () => {
  it.each([
    ['before there is a plan', '', bareState('free')],
    ['with one subtask open', ' (1 of 2 done)', state(DONE, {})],
    ['with one that a refusal left unshown', ' (1 of 2 done)', unshown(DONE)],
    ['with one that failed under a plan that was replaced', ' (1 of 1 done)', state(FAILED, DONE)],
    [
      'with one whose failure asks for another plan',
      ' (1 of 2 done)',
      state(FAILED, DONE, { replan: { why: 'it cannot be' } as never }),
    ],
    [
      'with one that failed before the one that asks for another plan',
      ' (1 of 1 done)',
      state(FAILED, DONE, { replan: { why: 'another' } as never }),
    ],
  ])('is told %s', (_when, words, given) => {
    expect(doneText(given)).toBe(words);
  });

  function unshown(other: Status): RunState {
    return state(other, UNSHOWN, { refused: [refused('npm i', { subtask: '1.2' })] });
  }
});

it('of many subtasks that are not done four are named', () => {
  const open = (count: number) =>
    notDoneText(
      bareState('free', {
        plan: planOf(
          Array.from({ length: count }, (_, at) =>
            subtask(`1.${at + 1}`, undefined, { purpose: 'it' }),
          ),
        ),
      }),
    );
  expect(open(5)).toBe('1.1 it; 1.2 it; 1.3 it; 1.4 it; 1.5 it');
  expect(open(6)).toBe('1.1 it; 1.2 it; 1.3 it; 1.4 it; 2 more subtasks');
});

describe('a refused call', () => {
  it.each([
    ['of an unshown subtask leaves it not done', UNSHOWN, {}, ['1.1']],
    ['of a subtask that is shown done does not', DONE, {}, []],
    [
      'that a person said no to, under a done subtask, leaves an unshown one',
      DONE,
      { isNo: true },
      ['1.2'],
    ],
    ['that only reads does not', DONE, { isNo: true, isReadOnly: true }, []],
    ['that is allowed since does not', DONE, { isNo: true, isGiven: true }, []],
  ] as const)('%s', (_what, one, more, ids) => {
    const given = state(one, UNSHOWN, { refused: [refused('npm i', more)] });
    expect(notDone(given).map(({ subtask: { id } }) => id)).toEqual(ids);
  });

  it('that a person said no to, under a subtask that is not done either, leaves only that one', () => {
    const given = state({}, UNSHOWN, { refused: [refused('npm i', { isNo: true })] });
    expect(notDone(given).map(({ subtask: { id } }) => id)).toEqual(['1.1']);
  });

  it('that is allowed since may be made later, but not after the last subtask', () => {
    const given = [
      refused('npm i', { isGiven: true }),
      refused('npm t', { subtask: '1.2', isGiven: true }),
    ];
    const both = state({ status: 'in_progress' }, {}, { refused: given });
    expect(openSubtasksText(both, '1.1')).toEqual([]);
    const last = { ...both, ...state(DONE, { status: 'in_progress' }), refused: given };
    expect(openSubtasksText(last, '1.2')).toEqual([given[1]]);
    const open = [refused('npm i')];
    expect(openSubtasksText({ ...both, refused: open }, '1.1')).toEqual(open);
    for (const more of [{ isNo: true }, { isReadOnly: true }] as const)
      expect(openSubtasksText({ ...both, refused: [refused('npm i', more)] }, '1.1')).toEqual([]);
  });

  it.each([
    ['of its own reply makes a claim come too early', { turn: 3 }, true],
    ['of an earlier reply does not', { turn: 2 }, false],
    ['that only reads does not', { turn: 3, isReadOnly: true }, false],
  ] as const)('%s', (_what, more, isEarly) => {
    const one = { refused: [refused('npm i', more)], counters: counters({ turns: 3 }) };
    expect(isClaimedTooEarly(one)).toBe(isEarly);
  });

  it('is waited for where the model itself says that it is missing', () => {
    const waiting = (more: Partial<RefusedCall>, status: Status = UNSHOWN) =>
      isWaiting(
        state(status, DONE, {
          ...wishing(wish('w0'), wish('w1')),
          refused: [refused('npm i', { wish: 'w1', ...more })],
        }),
      );
    expect(waiting({})).toBe(true);
    expect(waiting({ isGotRound: true })).toBe(false);
    expect(waiting({ isGiven: true })).toBe(false);
    expect(waiting({ wish: 'w2' })).toBe(false);
    expect(waiting({}, DONE)).toBe(false);
  });

  it('may be why a command fails that ran after it', () => {
    const reason = (more: Partial<RefusedCall>) =>
      refusedUntil({ refused: [refused('npm i', { offset: 5, ...more })] }, 6);
    expect(reason({})).toBe('npm i was refused');
    for (const more of [{ offset: 6 }, { isReadOnly: true }, { isGiven: true }] as const)
      expect(reason(more)).toBe('');
    expect(refusedUntil({ refused: [refused('npm i')] }, 6)).toBe('');
  });
});

describe('calls that were refused under a replaced plan', () => {
  const before = [
    refused('npm i', { subtask: '0.1', wish: 'w1' }),
    refused('git push', { subtask: '0.1', wish: 'w2' }),
    refused('make all', { subtask: '0.2', wish: 'w3' }),
  ];
  const permissions = wishing(
    wish('w1', 'run_cmd(npm i)'),
    wish('w2', 'run_cmd(git push)', 'run_cmd(git add)'),
    wish('w3', 'run_cmd(make all)'),
    wish('w4'),
  );
  const says = (needs: string): Partial<RunState> => ({
    ...permissions,
    givenUp: { reason: 'not here', needs } as never,
    refused: before,
  });

  it('are named while something is not done', () => {
    const given = state(DONE, {}, { refused: before });
    expect(notDoneText(given)).toBe('1.2 it is wanted; npm i, git push and make all were refused');
    expect(hasOpenRefusal(given)).toBe(true);
    expect(hasOpenRefusal(state(DONE, DONE, { refused: before }))).toBe(false);
    const isGiven = state(DONE, {}, { refused: before.map((one) => ({ ...one, isGiven: true })) });
    expect(hasOpenRefusal(isGiven)).toBe(false);
    expect(notDoneBeside(given, 'it is over')).toBe(notDoneText(given));
    expect(notDoneBeside(given, 'not done: 1.2')).toBe('');
    expect(notDoneBeside(isGiven, 'it is over')).toBe('');
  });

  it('are those that the model quotes the rules of, where it quotes any', () => {
    const text = (needs: string) => notDoneText(state(DONE, {}, says(needs)));
    expect(text('npm i and make all')).toBe('1.2 it is wanted; npm i and make all were refused');
    expect(text('git push')).toBe('1.2 it is wanted; npm i, git push and make all were refused');
    expect(text('git push, and git add before')).toBe('1.2 it is wanted; git push was refused');
  });

  it('give the rules that would allow them, and the permissions that are needed', () => {
    const ended = { ended: { ending: 'paused', detail: '' } as never };
    const given = state(DONE, {}, { ...says('npm i and make all'), ...ended });
    expect(rulesForNotDone(given)).toEqual(['npm i', 'make all']);
    expect(neededPermissions(given).map(({ id }) => id)).toEqual(['w1', 'w3']);
    expect(rulesForNotDone({ ...given, ended: { ending: 'achieved' } as never })).toEqual([]);
    expect(rulesForNotDone({ ...given, ended: null })).toEqual([]);
    expect(neededPermissions({ ...given, plan: null })).toHaveLength(4);
    const asked = { permissions: { open: [{ ...wish('w1'), isNoted: false }] } as never };
    expect(neededPermissions({ ...given, ...asked, plan: null })).toEqual([]);
  });
});

it('a plan goes on with the subtask that a call was refused for, once that is allowed', () => {
  const granted = (more: Partial<RefusedCall>) =>
    permittedStep(state(DONE, {}, { refused: [refused('npm i', { isGiven: true, ...more })] }));
  expect(granted({})).toEqual({ do: 'tell_permitted', subtask: '1.1', targets: ['npm i'] });
  expect(granted({ subtask: '0.1' })).toMatchObject({ subtask: '1.2' });
  expect(granted({ isTold: true })).toBeNull();
});
