import { expect, test } from 'vitest';
import { readForUndo, readingForUndo } from '../../src/run/undo-records.ts';
import { journalMachine, note } from '../support/journal-machine.ts';

test('what an undo reads of a long journal is read in pieces, between which an interrupt is heard', () => {
  const machine = journalMachine();
  const { journal } = machine.create();
  for (let n = 0; n < 2_500; n += 1) journal.append(note(`${n}`));
  const work = readingForUndo(machine);
  expect([work.next().done, work.next().done]).toEqual([false, false]);
  const last = work.next();
  expect(last).toEqual({ done: true, value: readForUndo(machine) });
  expect(readForUndo(machine)?.records).toHaveLength(2_501);
});
