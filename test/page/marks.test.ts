/** What a mark says is what was seen: only what was checked has a tick, and a failure that shows little says so. */
import { describe, expect, it } from 'vitest';
import { foldEvents } from '../../src/page/fold/events.ts';
import { planMarks, stepOf } from '../../src/page/fold/steps.ts';
import { legendOf, timelineOf } from '../../src/page/fold/timeline.ts';
import { sayEntry } from '../../src/page/fold/words.ts';
import { EMPTY_WORK, type WatchedWork } from '../../src/page/fold/work.ts';
import { subtasksOf } from '../../src/schema/plan.ts';
import { atWork, finished } from '../support/page/showcase.ts';

const FROM = Date.UTC(2026, 10, 27, 9);
const FAILED = { facts: { exitCode: 1, tests: { failed: 1, passed: 3 } } };

describe('a trial', () => {
  const tried = (what: string, passed: boolean, more: object = {}, about = 'a.js') => {
    const { events } = finished(FROM).record('check_ran', {
      ...{ id: null, subtask: '3.1', check: { cmd: 'node --test ./a.test.js' }, proof: false },
      ...{ passed, text: '', facts: { exitCode: 1 } },
      ...{ scratch: { what, about, tree: '', word: '' }, ...more },
    });
    const mark = timelineOf(foldEvents(EMPTY_WORK, events).entries).at(-1);
    return [mark?.shape, mark && sayEntry(mark.entry).replace(/: node[^,]*/, '')];
  };

  it('without the work is a tick only where tests ran there and failed', () => {
    expect(tried('emptied', false, FAILED)).toEqual([
      ...['tick', 'Tried in a copy, with a.js emptied, failed, as it should (1 test)'],
    ]);
    expect(tried('emptied', false)).toEqual([
      ...[
        'ring',
        'Tried in a copy, with a.js emptied, failed with exit code 1, and nothing counted tells of what',
      ],
    ]);
    expect(tried('emptied', true)).toEqual([
      'ring',
      'Tried in a copy, with a.js emptied, passed too',
    ]);
    const skipped = { scratch: { what: 'without', about: 'a', tree: '', word: '', skipped: true } };
    expect(tried('without', false, skipped)).toEqual([
      'ring',
      'Tried in a copy, without a, skipped',
    ]);
    expect(tried('unchanged', false)).toEqual(['cross', 'Tried in a copy, as it is, not passed']);
  });

  it('shows little where the command names what was not there', () => {
    const little = 'could not run, which shows little';
    expect(tried('without', false, {}, 'a.test.js')).toEqual([
      'ring',
      `Tried in a copy, without a.test.js, ${little}`,
    ]);
    expect(tried('before', false, { facts: { exitCode: 4, testsRan: 'none' } })[1]).toContain(
      little,
    );
  });
});

it('a proof before the work that names a file of the run shows little, and one whose tests failed is red', () => {
  const before = (cmd: string, facts: object): string | undefined =>
    foldEvents(
      EMPTY_WORK,
      atWork(FROM)
        .record('check_ran', {
          ...{ check: { cmd }, proof: true, when: 'before', passed: false, text: '', facts },
        })
        .action(
          'w',
          'write_file',
          { path: 'n.py' },
          [{ path: 'n.py', before: null, after: 'a' }],
          '',
        ).events,
    )
      .entries.filter(({ kind }) => kind === 'check')
      .map(sayEntry)
      .at(-1);
  expect(before('python n.py', { exitCode: 2 })).toContain('could not run');
  expect(before('python m.py', { exitCode: 2 })).toContain('exit code 2');
  expect(before('python n.py', FAILED.facts)).toContain('failed (1 test)');
});

describe('a step', () => {
  const stepsOf = (work: WatchedWork) =>
    Object.fromEntries(
      (work.plan ? subtasksOf(work.plan) : []).map((one) => [
        one.id,
        stepOf(one, work, 'still').word,
      ]),
    );

  it('is checked by a proof that is about it, and by nothing in a run without one', () => {
    const proved = stepsOf(foldEvents(EMPTY_WORK, finished(FROM).events));
    expect(proved).toMatchObject({
      '1.1': 'finished, not checked',
      '2.1': 'done; the proof passed after it',
    });
    const earlier = finished(FROM).record('verdict_given', {
      isProved: true,
      words: '',
      named: [],
    });
    expect(stepsOf(foldEvents(EMPTY_WORK, earlier.events))['2.1']).toBe('finished, not checked');
    const working = stepsOf(foldEvents(EMPTY_WORK, atWork(FROM).events));
    expect(working).toMatchObject({ '2.1': 'finished, not checked', '2.2': 'stopped here' });
  });

  it('is checked by a check of its own that passed last', () => {
    const checked = (passed: boolean) =>
      atWork(FROM).record('check_ran', {
        ...{ check: { type: 'file_exists', path: 'a' }, proof: false, passed, text: '', facts: {} },
      }).events;
    const word = (passed: boolean) => {
      const work = foldEvents(EMPTY_WORK, checked(passed));
      const [, , subtask] = work.plan ? subtasksOf(work.plan) : [];
      return subtask && stepOf({ ...subtask, status: 'completed' }, work, 'still').word;
    };
    expect([word(true), word(false)]).toEqual([
      'done, and its check passed',
      'finished, not checked',
    ]);
  });

  it('whose files were put back is undone', () => {
    const undone = finished(FROM)
      .record('undo_started', { files: ['src/cart.ts'] })
      .record('file_restored', { path: 'src/cart.ts', hash: null, skipped: '' });
    const work = foldEvents(EMPTY_WORK, undone.events);
    expect(stepsOf(work)).toMatchObject({
      '1.1': 'finished, not checked',
      '2.3': 'undone',
    });
    expect(planMarks(work, 'still').map(({ shape }) => shape)).toEqual(['unchecked', 'undone']);
  });
});

it('each kind of mark of a timeline is explained once', () => {
  const legend = legendOf(timelineOf(foldEvents(EMPTY_WORK, finished(FROM).events).entries));
  expect(legend.map(({ shape, tone }) => `${shape} ${tone}`)).toEqual([
    ...[
      'note plain',
      'cross plain',
      'bar plain',
      'dot plain',
      'dot warn',
      'line warn',
      'line plain',
    ],
    'tick good',
  ]);
  expect(new Set(legend.map(({ means }) => means)).size).toBe(legend.length);
});
