import { expect, test } from 'vitest';
import { encodeLine } from '../../src/journal/lines/framing.ts';
import { readFileIfPresent, replaceFile } from '../../src/lib/files/durable-files.ts';
import { readForUndo, readingForUndo } from '../../src/undo/records.ts';
import { journalMachine, LAYOUT, note } from '../support/journal-machine.ts';

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

test('an undo of a run of a newer version says so, and names no repair', () => {
  const machine = journalMachine();
  const { journal } = machine.create();
  journal.append(note('one'));
  const chain = Number.parseInt(journal.position().chain, 16);
  const line = { seq: 3, ts: 1, durable: 2, format: 99, type: 'note', kind: 'later' };
  const before = readFileIfPresent(machine.fs, LAYOUT.history) ?? Buffer.alloc(0);
  const { bytes } = encodeLine(line, chain);
  replaceFile(machine.fs, LAYOUT.history, Buffer.concat([before, bytes]));
  expect(() => readForUndo(machine)).toThrow(expect.objectContaining({ code: 'E_TOO_NEW' }));
});
