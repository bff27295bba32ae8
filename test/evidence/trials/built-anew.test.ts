/** Which command changed a file last. */
import { expect, it } from 'vitest';
import { readingChangedBy } from '../../../src/evidence/trials/built-anew.ts';
import type { JournalRecord } from '../../../src/schema/records.ts';

const intended = (id: string, args: object) => ({ type: 'action_intended', id, args });
const changed = (id: string, path: string, more: object = {}) => ({
  ...{ type: 'files_changed', id, by: 'command', files: [{ path }] },
  ...more,
});
const by = (...records: readonly object[]) => {
  const reader = readingChangedBy();
  for (const record of records) reader.take(record as JournalRecord);
  return reader.result();
};
const MAKE = intended('1', { cmd: 'make' });

it('is its command line with the input and the folder that were given as texts', () => {
  expect(by(MAKE, changed('1', 'a.o'))('a.o')).toEqual({ cmd: 'make' });
  const whole = { cmd: 'make', stdin: 'y', cwd: 'sub' };
  expect(by(intended('1', whole), changed('1', 'a.o'))('a.o')).toEqual(whole);
  const odd = intended('1', { cmd: 'make', stdin: null, cwd: 7 });
  expect(by(odd, changed('1', 'a.o'))('a.o')).toEqual({ cmd: 'make' });
});

it('is the last one, of files that are too large to be kept, too', () => {
  const clean = intended('2', { cmd: 'make clean' });
  const found = by(
    MAKE,
    changed('1', 'a.o'),
    clean,
    changed('2', 'b.o', { uncovered: [{ path: 'a.o' }] }),
  );
  expect(found('a.o')).toEqual({ cmd: 'make clean' });
  expect(found('c.o')).toBeUndefined();
});

it.each([
  ['a tool changed it since', [intended('3', { cmd: 'x' }), changed('3', 'a.o', { by: 'tool' })]],
  ['a command did that is not known', [changed('3', 'a.o')]],
  ['a tool did that has no line', [intended('3', { path: 'a.o' }), changed('3', 'a.o')]],
])('is none where %s', (_what, later) => {
  expect(by(MAKE, changed('1', 'a.o'), ...later)('a.o')).toBeUndefined();
});
