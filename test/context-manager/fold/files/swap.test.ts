import { describe, expect, it } from 'vitest';
import { fold } from '../../../../src/context-manager/fold/fold.ts';
import type { JournalRecord, Located } from '../../../../src/schema/records.ts';
import { bareState } from '../../../support/run-state.ts';

const located = (records: readonly JournalRecord[]): readonly Located[] =>
  records.map((record, index) => ({ ...record, seq: index + 2, ts: 0, offset: 100 * index }));

const files = [
  { path: 'a.txt', before: 'aa', after: 'ab' },
  { path: 'b.txt', before: null, after: 'bb' },
];
const started = { type: 'swap_started', to: 'before', files } as const;
const first = { type: 'file_swapped', path: 'a.txt', hash: 'aa', skipped: '' } as const;
const skipped = 'it was changed since';
const second = { type: 'file_swapped', path: 'b.txt', hash: 'cc', skipped } as const;

const swapAfter = (...records: readonly JournalRecord[]) =>
  fold(located(records), bareState('guided', {}))?.swap;

describe('a swap', () => {
  it('is under way until its end is recorded, and names each file that it is through with', () => {
    const begun = { to: 'before', seq: 2, offset: 0, count: 2, isFinished: false };
    expect(swapAfter(started)).toEqual({ ...begun, done: [], left: [] });
    expect(swapAfter(started, first)).toMatchObject({ done: ['a.txt'], isFinished: false });
    expect(swapAfter(started, first, second, { type: 'swap_finished' })).toEqual({
      ...begun,
      done: ['a.txt', 'b.txt'],
      left: [{ path: 'b.txt', why: 'it was changed since' }],
      isFinished: true,
    });
  });

  it('takes the place of the one before, and counts the files that are in a blob', () => {
    const back = { ...started, to: 'run', more: { blob: 'dd', count: 7 } } as const;
    expect(swapAfter(started, first, { type: 'swap_finished' }, back)).toMatchObject({
      ...{ to: 'run', seq: 5, count: 9, done: [], isFinished: false },
    });
  });
});
