import { expect, test } from 'vitest';
import { nextNumber, withNumbers } from '../../src/journal/runs/run-numbers.ts';
import { join } from '../../src/lib/files/absolute-paths.ts';
import { replaceFile } from '../../src/lib/files/durable-files.ts';
import { journalMachine, LAYOUT } from '../support/journal-machine.ts';

const run = (id: string, startedAt: number, number: number | null = null, problem = '') => ({
  ...{ id, startedAt, number, problem },
});

test('each run has the next number, and none is given twice, also when its journal is gone', () => {
  const { fs } = journalMachine();
  const place = { fs, layout: LAYOUT };
  expect(nextNumber(place, [])).toBe(1);
  expect(nextNumber(place, [])).toBe(2);
  expect(nextNumber(place, [run('a', 1, 7)])).toBe(8);
  expect(nextNumber(place, [])).toBe(9);
});

test('two that begin in the same instant have different numbers, and no trace of old ones stays', () => {
  const { fs } = journalMachine();
  const place = { fs, layout: LAYOUT };
  expect(nextNumber(place, [])).toBe(1);
  // The other one has taken its number and not yet said so.
  fs.close(fs.open(join(LAYOUT.lock, 'number.2'), 'wx'));
  expect(nextNumber(place, [])).toBe(3);
  for (let n = 4; n < 30; n += 1) expect(nextNumber(place, [])).toBe(n);
  expect(fs.readdir(LAYOUT.lock)).toHaveLength(8);
});

test('where the highest number is lost the journals still say it', () => {
  const { fs } = journalMachine();
  for (const text of ['', 'twelve', '12', '99999999999\n']) {
    replaceFile(fs, LAYOUT.lastNumber, Buffer.from(text));
    for (const name of fs.readdir(LAYOUT.lock)) fs.unlink(join(LAYOUT.lock, name));
    expect(nextNumber({ fs, layout: LAYOUT }, [run('a', 1, 4)])).toBe(5);
  }
});

test('a number that no run of one folder reaches does not use up those of the next ones', () => {
  for (const foreign of [900_000_000, 999_999_998, 999_999_999]) {
    const { fs } = journalMachine();
    const place = { fs, layout: LAYOUT };
    replaceFile(fs, LAYOUT.lastNumber, Buffer.from(`${foreign}\n`));
    const known = [run('theirs', 1, foreign)];
    for (const id of ['a', 'b', 'c']) known.push(run(id, 2, nextNumber(place, known)));
    const numbers = known.map(({ number }) => number ?? 0);
    expect(new Set(numbers).size).toBe(4);
    expect(Math.max(...numbers)).toBeLessThan(1_000_000_000);
  }
});

test('runs from before there were numbers have them in the order in which they began', () => {
  const runs = [run('d', 9, 3), run('b', 2), run('x', 0, null, 'it is empty'), run('a', 1)];
  expect(withNumbers(runs).map(({ id, number }) => `${id}${number}`)).toEqual([
    ...['d3', 'b2', 'xnull', 'a1'],
  ]);
});

test('a run whose first record a repair wrote anew has a number that no other one has', () => {
  const runs = [run('a', 1, 1), run('repaired', 2), run('c', 3, 3), run('old', 0)];
  expect(withNumbers(runs).map(({ id, number }) => `${id}${number}`)).toEqual([
    ...['a1', 'repaired4', 'c3', 'old2'],
  ]);
});
