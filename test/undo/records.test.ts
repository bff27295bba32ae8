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

test('a file that a call wrote as it was is not said to be unknown', () => {
  const machine = journalMachine();
  const { journal } = machine.create();
  const hash = 'a'.repeat(64);
  const call = { id: '1.1#1#0', tool: 'write_file', signature: 's' };
  journal.append({
    ...{ type: 'action_intended', ...call, class: 'write', args: { path: 'a.txt' } },
    files: [{ path: 'a.txt', before: hash, after: hash, mode: 0o644 }],
  });
  const outcome = { status: 'ok', result: 'Wrote a.txt', resultHash: 'r' } as const;
  journal.append({
    ...{
      type: 'action_finished',
      ...call,
      ...outcome,
      touches: 'files',
      does: 'writes_whole_files',
    },
    ...{
      callId: 'c',
      target: 'a.txt',
      facts: { durationMs: 1, changed: false },
      hashes: { 'a.txt': hash },
    },
  });
  expect(readForUndo(machine)?.damage).toBeUndefined();
});
