/** What a power cut leaves of records that were written one by one and never synced together. */

import { describe, expect, test } from 'vitest';
import { readFileIfPresent, replaceFile } from '../../src/lib/files/durable-files.ts';
import { newDirectory } from '../../src/lib/files/memory-nodes.ts';
import { dice, fc } from '../support/dice.ts';
import { journalMachine, LAYOUT, note } from '../support/journal-machine.ts';
import { type PowerLoss, SimulatedDisk } from '../support/simulated-disk.ts';
import { SimulatedFileSystem } from '../support/simulated-file-system.ts';

const CORRUPT = expect.objectContaining({ code: 'E_JOURNAL_CORRUPT' });
const DURABLE = 3;

function emptyDisk(): SimulatedFileSystem {
  const root = newDirectory(0o755, 0);
  root.entries.set('work', newDirectory(0o755, 0));
  return new SimulatedFileSystem({}, new SimulatedDisk(root));
}

/** A journal with three durable records, and behind them a group that nobody synced. */
function withGroup(texts: readonly string[]): SimulatedFileSystem {
  const fs = emptyDisk();
  const { journal } = journalMachine(fs).create();
  journal.append(note('one'));
  journal.append(note('two'));
  journal.sync();
  for (const text of texts) journal.append(note(text));
  return fs;
}

/** The same machine as a new start finds it. */
const startedOn = (fs: SimulatedFileSystem) => journalMachine(fs);

const bytesOf = (fs: SimulatedFileSystem): Buffer =>
  readFileIfPresent(fs, LAYOUT.history) ?? Buffer.alloc(0);

const lossOf = (bytes: PowerLoss['bytes'], names: PowerLoss['names'] = 'all'): PowerLoss => ({
  bytes,
  names,
});

const texts = fc.array(
  fc.string({ minLength: 1, maxLength: 900 }).map((text) => text.padEnd(20, '.')),
  { minLength: 1, maxLength: 8 },
);

describe('a group that was never synced', () => {
  test('goes to quarantine as a whole, whichever of its pages are lost', () => {
    const survivors = fc.array(fc.boolean(), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(texts, survivors, (group, survives) => {
        const fs = withGroup(group);
        const whole = bytesOf(fs);
        const after = fs.afterPowerLoss(lossOf((page) => survives[page] ?? true));
        const found = bytesOf(after);
        const { state, journal, quarantined } = startedOn(after).open();
        expect(state.length).toBeGreaterThanOrEqual(DURABLE);
        // What is kept is the group from its beginning, byte for byte.
        const kept = bytesOf(after);
        expect(kept.equals(whole.subarray(0, kept.length))).toBe(true);
        expect(quarantined?.bytes ?? 0).toBe(found.length - kept.length);
        journal.append(note('goes on'));
        journal.sync();
        expect(startedOn(after.afterKill()).open().state).toHaveLength(state.length + 1);
      }),
      { numRuns: dice(30, 300) },
    );
  });

  test('loses nothing when only its process dies', () => {
    const fs = withGroup(['a', 'b', 'c']);
    const { state, quarantined } = startedOn(fs.afterKill()).open();
    expect(state).toHaveLength(DURABLE + 3);
    expect(quarantined).toBeNull();
  });

  test('ends before a record whose blob the power cut has taken', () => {
    const fs = withGroup(['short', 'x'.repeat(10_000), 'behind it']);
    const after = fs.afterPowerLoss(lossOf('all', 'none'));
    const { state, quarantined } = startedOn(after).open();
    expect(state).toHaveLength(DURABLE + 1);
    expect(quarantined?.bytes).toBeGreaterThan(0);
    const kept = startedOn(fs.afterPowerLoss(lossOf('all'))).open();
    expect(kept.state).toHaveLength(DURABLE + 3);
  });

  test('is damage when a byte of it has changed', () => {
    const fs = withGroup(['first', 'second', 'third']);
    const bytes = bytesOf(fs);
    bytes[bytes.indexOf('second')] = 0x58;
    const after = fs.afterKill();
    replaceFile(after, LAYOUT.history, bytes);
    expect(startedOn(after).open).toThrow(CORRUPT);
    expect(bytesOf(after).equals(bytes)).toBe(true);
  });

  test('is damage when a byte of it has become a NUL, which no lost page leaves', () => {
    const fs = withGroup(['first', 'second', 'third']);
    const bytes = bytesOf(fs);
    bytes[bytes.indexOf('second')] = 0;
    const after = fs.afterKill();
    replaceFile(after, LAYOUT.history, bytes);
    expect(startedOn(after).open).toThrow(CORRUPT);
  });

  test('is damage when the byte before the end of a sector has become a NUL', () => {
    const fs = withGroup(['a'.repeat(700), 'b']);
    const bytes = bytesOf(fs);
    const at = Math.ceil((bytes.indexOf('aaaa') + 1) / 512) * 512 - 1;
    bytes[at] = 0;
    replaceFile(fs, LAYOUT.history, bytes);
    expect(() => startedOn(fs.afterKill()).open()).toThrow(CORRUPT);
  });

  test('is damage when a later record says that it was on the disk', () => {
    const fs = emptyDisk();
    const { journal } = journalMachine(fs).create();
    for (let index = 0; index < 8; index++) journal.append(note(`${index} `.repeat(100)));
    journal.sync();
    journal.append(note('knows that all before it is durable'));
    const bytes = bytesOf(fs);
    bytes.fill(0, 512, 1024);
    const after = fs.afterKill();
    replaceFile(after, LAYOUT.history, bytes);
    expect(startedOn(after).open).toThrow(CORRUPT);
  });
});

test('a line says up to which record everything was really synced', () => {
  const { journal } = journalMachine(emptyDisk()).create();
  const marks = [journal.append(note('a')), journal.append(note('b'))];
  journal.sync();
  marks.push(journal.append(note('c')), journal.append(note('d')));
  expect(marks.map(({ durable }) => durable)).toEqual([1, 1, 3, 3]);
});

test('a barrier syncs each new blob, their folder once, and the journal once', () => {
  const fs = emptyDisk();
  const { journal } = journalMachine(fs).create();
  const syncs = () => fs.operations.filter(({ name }) => name.endsWith('sync')).length;
  const before = syncs();
  for (const text of ['x', 'y', 'x']) journal.append(note(text.repeat(10_000)));
  expect(syncs()).toBe(before);
  journal.sync();
  expect(syncs()).toBe(before + 4);
  journal.sync();
  expect(syncs()).toBe(before + 4);
});
