/** A long journal is read with pauses; an interrupt in one of them leaves everything as it was. */
import { describe, expect, test } from 'vitest';
import { openingJournal } from '../../src/journal/recover.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { isInterrupt, runSync, withPauses } from '../../src/lib/interruptible.ts';
import type { Located } from '../../src/schema/records.ts';
import { journalMachine, note } from '../support/journal-machine.ts';

/** A disk that counts open handles and what changes it. */
function countingDisk() {
  const real = createMemoryFileSystem();
  const seen = { open: 0, changes: 0 };
  const change =
    <Given extends unknown[], Value>(work: (...given: Given) => Value) =>
    (...given: Given): Value => {
      seen.changes += 1;
      return work(...given);
    };
  const fs = delegating(real);
  return {
    seen,
    fs: {
      ...fs,
      open: (...given: Parameters<typeof fs.open>) => {
        const fd = fs.open(...given);
        seen.open += 1;
        return fd;
      },
      close: (fd: number) => {
        seen.open -= 1;
        fs.close(fd);
      },
      write: change(fs.write),
      ftruncate: change(fs.ftruncate),
      rename: change(fs.rename),
      unlink: change(fs.unlink),
    },
  };
}

/** Some pieces of journal, a torn line at its end. */
function longJournal() {
  const counted = countingDisk();
  const machine = journalMachine(counted.fs);
  const fold = {
    schema: 1,
    reduce: (state: number | null, _record: Located) => (state ?? 0) + 1,
  };
  const { journal } = machine.create();
  for (let n = 0; n < 1_500; n += 1) journal.append(note(`${n} ${'text '.repeat(150)}`));
  journal.sync();
  journal.close();
  const { history } = machine.layout;
  const fd = machine.fs.open(history, 'r+');
  machine.fs.write(fd, Buffer.from('{"seq":1502,"torn'), machine.fs.size(fd));
  machine.fs.close(fd);
  return { seen: counted.seen, machine, ports: { ...machine, fold } };
}

describe('opening a long journal', () => {
  test('pauses between its pieces, and gives the state that opening in one go gives', async () => {
    const { ports } = longJournal();
    let breaths = 0;
    const breathe = async () => {
      breaths += 1;
    };
    const signal = new AbortController().signal;
    const opened = await withPauses(openingJournal(ports), breathe, signal);
    expect(breaths).toBeGreaterThan(4);
    expect(opened).toMatchObject({ state: 1_501, replayed: 1_501, quarantined: { bytes: 17 } });
    opened?.journal.close();
    expect(runSync(openingJournal(ports))).toMatchObject({ state: 1_501, quarantined: null });
  });

  test('leaves no byte changed and no handle open, in whichever pause it is interrupted', async () => {
    const { ports, seen } = longJournal();
    const before = { ...seen };
    let interrupts = 0;
    for (let n = 1; ; n += 1) {
      const interrupt = new AbortController();
      let breaths = 0;
      const breathe = async () => {
        breaths += 1;
        if (breaths === n) interrupt.abort();
      };
      const ended = await withPauses(openingJournal(ports), breathe, interrupt.signal).catch(
        (error) => error,
      );
      if (!isInterrupt(ended)) break;
      interrupts += 1;
      expect(seen).toEqual(before);
    }
    expect(interrupts).toBeGreaterThan(4);
    // The torn line is cut off by the one that was not interrupted.
    expect(seen.changes).toBeGreaterThan(before.changes);
  });
});
