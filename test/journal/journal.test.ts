import { describe, expect, test } from 'vitest';
import { encodeLine } from '../../src/journal/lines/framing.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { verifyChain } from '../../src/journal/repair/verify.ts';
import {
  decodeSnapshot,
  encodeSnapshot,
  readSnapshot,
  writeSnapshot,
} from '../../src/journal/snapshot.ts';
import { readFileIfPresent, replaceFile } from '../../src/lib/files/durable-files.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { fileSystemError } from '../../src/lib/files/memory-file-system.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import { sanitize } from '../../src/lib/text/plain-text.ts';
import type { JournalRecord, Located } from '../../src/schema/records.ts';
import { journalMachine, LAYOUT, note } from '../support/journal-machine.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });
const LONG = 'x'.repeat(10_000);

function bytesOf(fs: FileSystem, path = LAYOUT.history): Buffer {
  return readFileIfPresent(fs, path) ?? Buffer.alloc(0);
}

describe('appending', () => {
  test('returns the record as reading the file gives it back', () => {
    const machine = journalMachine();
    const { journal } = machine.create();
    const located = journal.append(note('hello'));
    expect(located).toMatchObject({ seq: 2, type: 'note', data: { text: 'hello' } });
    expect({ ...journal.readAt(located.offset), offset: located.offset }).toEqual(located);
    expect(() => journal.readAt(located.offset + 1)).toThrow(code('E_JOURNAL_CORRUPT'));
    journal.close();
    expect(machine.open().state[1]).toEqual(located);
  });

  test('keeps what JSON cannot say the way reading it back says it', () => {
    const machine = journalMachine();
    const { journal } = machine.create();
    const data = { gone: undefined, odd: [undefined, Number.NaN], lone: '\ud800', zero: -0 };
    const located = journal.append({ type: 'note', kind: 'odd', data });
    journal.close();
    expect(machine.open().state[1]).toEqual(located);
  });

  test('moves long strings into blobs, anywhere in a record, and brings them back', () => {
    const machine = journalMachine();
    const { journal } = machine.create();
    const located = journal.append({ type: 'note', kind: 'n', data: { deep: [{ text: LONG }] } });
    const reference = { blob: sha256(LONG), length: 10_000, head: 'x'.repeat(120) };
    expect(located).toMatchObject({ data: { deep: [{ text: reference }] } });
    expect(machine.fs.readdir(LAYOUT.blobs)).toEqual([sha256(LONG)]);
    expect(journal.readBack(located)).toMatchObject({ data: { deep: [{ text: LONG }] } });
  });

  test('leaves a long string in its record where the schema wants a string', () => {
    const machine = journalMachine();
    machine.create(LONG).journal.close();
    expect(machine.open().state[0]).toMatchObject({ type: 'run_opened', goal: LONG });
  });

  test('does not take a made-up reference for one', () => {
    const { create } = journalMachine();
    const { journal } = create();
    const made = { blob: 'a'.repeat(64), length: 1, head: '' };
    const located = journal.append({ type: 'note', kind: 'n', data: { made } });
    expect(journal.readBack(located)).toMatchObject({ data: { made: JSON.stringify(made) } });
  });

  test('refuses a record that it could not read back', () => {
    const { journal } = journalMachine().create();
    const wrong = { type: 'rewound', fromSeq: 'x', why: '' } as unknown as JournalRecord;
    expect(() => journal.append(wrong)).toThrow(code('E_INTERNAL'));
  });

  test('notices that somebody else wrote to the file', () => {
    const machine = journalMachine();
    const { journal } = machine.create();
    machine.open().journal.append(note('from elsewhere'));
    expect(() => journal.append(note('mine'))).toThrow(code('E_FENCED'));
  });

  test('writes nothing more after a failed sync', () => {
    const machine = journalMachine();
    const { journal } = machine.create();
    const { fdatasync } = machine.fs;
    machine.fs.fdatasync = (fd) => {
      throw fileSystemError('EIO', 'fdatasync', fd);
    };
    journal.append(note('lost'));
    expect(() => journal.sync()).toThrow(code('E_IO'));
    machine.fs.fdatasync = fdatasync;
    expect(() => journal.append(note('later'))).toThrow(code('E_IO'));
    expect(() => journal.sync()).toThrow(code('E_IO'));
    const { close } = machine.fs;
    let closed = 0;
    machine.fs.close = (fd) => {
      closed += 1;
      close.call(machine.fs, fd);
    };
    journal.close();
    journal.close();
    expect(closed).toBe(1);
  });

  test('says so when a blob is damaged', () => {
    const machine = journalMachine();
    const { journal } = machine.create();
    const located = journal.append(note(LONG));
    replaceFile(machine.fs, `${LAYOUT.blobs}/${sha256(LONG)}`, Buffer.from('other'));
    expect(() => journal.readBack(located)).toThrow(code('E_JOURNAL_CORRUPT'));
    expect(verifyChain(machine)?.badBlobs).toEqual([sha256(LONG)]);
  });
});

describe('a full disk', () => {
  /** From now on the disk has room for `room` bytes, and for what is deleted; `free` makes more. */
  function fill(fs: FileSystem, room: number): { free(bytes: number): void } {
    let left = room;
    const { write, unlink } = fs;
    fs.write = function (fd, buffer, position) {
      if (left === 0) throw fileSystemError('ENOSPC', 'write', fd);
      const part = buffer.subarray(0, left);
      left -= part.length;
      return write.call(this, fd, part, position);
    };
    fs.unlink = function (path) {
      const { size } = this.stat(path);
      unlink.call(this, path);
      left += size;
    };
    return {
      free: (bytes) => {
        left += bytes;
      },
    };
  }

  const INTENT: JournalRecord = {
    ...{ type: 'action_intended', id: '1.1#1#0', class: 'command', tool: 'run_cmd' },
    ...{ args: {}, signature: '', files: [] },
  };
  const PAUSE: JournalRecord = { type: 'run_paused', why: 'disk_full', detail: '', hint: '' };

  test('still takes the record and the pause from the reserve, and says that it is gone', () => {
    const machine = journalMachine();
    const { journal } = machine.create();
    fill(machine.fs, 20);
    expect(journal.hasReserve).toBe(true);
    journal.append(note('outcome'));
    expect(journal.hasReserve).toBe(false);
    journal.append(PAUSE);
    expect(verifyChain(machine)).toMatchObject({ problem: '', records: 3 });
  });

  test('begins nothing in what the reserve left, until there is room to make it again', () => {
    const machine = journalMachine();
    const { journal } = machine.create();
    const disk = fill(machine.fs, 20);
    journal.append(note('outcome'));
    expect(() => journal.append(INTENT)).toThrow(code('E_DISK_FULL'));
    expect(() => journal.needReserve()).toThrow(code('E_DISK_FULL'));
    journal.append(PAUSE);
    disk.free(1_000);
    journal.append(INTENT);
    expect(journal.hasReserve).toBe(true);
    expect(verifyChain(machine)).toMatchObject({ problem: '', records: 4 });
  });

  test('takes no intent from the reserve, and is left at the end of a record', () => {
    const machine = journalMachine();
    const { journal } = machine.create();
    const before = bytesOf(machine.fs);
    fill(machine.fs, 20);
    expect(() => journal.append(INTENT)).toThrow(code('E_DISK_FULL'));
    expect(bytesOf(machine.fs)).toEqual(before);
    journal.append(PAUSE);
  });
});

describe('opening', () => {
  function withRecords(count: number) {
    const machine = journalMachine();
    const { journal } = machine.create();
    for (let index = 0; index < count; index++) journal.append(note(`n${index}`));
    return { ...machine, journal };
  }

  function addLine(fs: FileSystem, bytes: Uint8Array): void {
    replaceFile(fs, LAYOUT.history, Buffer.concat([bytesOf(fs), bytes]));
  }

  test('is nothing when there is no journal', () => {
    expect(journalMachine().openIfAny()).toBeNull();
  });

  test('refuses when only the snapshot is left', () => {
    const machine = withRecords(1);
    const at = { ...machine.journal.position(), schema: 1, synced: true, state: [] };
    writeSnapshot(machine.fs, LAYOUT, at);
    machine.fs.unlink(LAYOUT.history);
    expect(machine.openIfAny).toThrow(code('E_JOURNAL_MISSING'));
  });

  test('reads only what is behind the snapshot, and folds to the same', () => {
    const machine = withRecords(5);
    const whole = machine.open().state;
    const at = { ...machine.journal.position(), schema: 1, synced: false };
    writeSnapshot(machine.fs, LAYOUT, { ...at, state: whole });
    machine.journal.append(note('after'));
    const opened = machine.open();
    expect(opened.replayed).toBe(1);
    expect(opened.state.slice(0, -1)).toEqual(whole);
  });

  test('notices a byte that changed below the snapshot, and names its place', () => {
    const machine = withRecords(5);
    const { state } = machine.open();
    const at = { ...machine.journal.position(), schema: 1, synced: false, state };
    writeSnapshot(machine.fs, LAYOUT, at);
    machine.journal.append(note('after'));
    const damaged = bytesOf(machine.fs);
    const place = damaged.indexOf('n1');
    damaged[place] = 0x58;
    replaceFile(machine.fs, LAYOUT.history, damaged);
    const start = damaged.lastIndexOf(0x0a, place) + 1;
    expect(machine.open).toThrow(`damaged at byte ${start}`);
    expect(machine.open).toThrow(code('E_JOURNAL_CORRUPT'));
    expect(bytesOf(machine.fs)).toEqual(damaged);
  });

  test.each(['EFTYPE', 'EISDIR', 'ERR_FS_FILE_TOO_LARGE'])(
    'takes what is no file (%s) in the place of state.json or of a blob for a damaged one',
    (what) => {
      const machine = withRecords(3);
      const located = machine.journal.append(note(LONG));
      const { fs } = machine;
      const { open } = fs;
      const blob = `${LAYOUT.blobs}/${sha256(LONG)}`;
      fs.open = function (path, flags, mode) {
        if (flags === 'r' && [LAYOUT.state, blob].includes(path))
          throw fileSystemError(what, 'open', path);
        return open.call(this, path, flags, mode);
      };
      expect(() => machine.journal.readBack(located)).toThrow(code('E_JOURNAL_CORRUPT'));
      expect(readSnapshot(fs, LAYOUT)).toEqual({ kind: 'damaged' });
      expect(verifyChain(machine)?.badBlobs).toEqual([sha256(LONG)]);
    },
  );

  test('ignores a snapshot that is ahead of its journal, unless it says that it was synced', () => {
    const machine = withRecords(3);
    const { state } = machine.open();
    const at = { ...machine.journal.position(), schema: 1, state };
    const bytes = bytesOf(machine.fs);
    replaceFile(machine.fs, LAYOUT.history, bytes.subarray(0, bytes.indexOf(0x0a) + 1));
    writeSnapshot(machine.fs, LAYOUT, { ...at, synced: false });
    expect(machine.open().replayed).toBe(1);
    writeSnapshot(machine.fs, LAYOUT, { ...at, synced: true });
    expect(machine.open).toThrow(code('E_JOURNAL_CORRUPT'));
  });

  test('ignores a snapshot of another shape', () => {
    const machine = withRecords(2);
    writeSnapshot(machine.fs, LAYOUT, {
      ...machine.journal.position(),
      schema: 9,
      synced: true,
      state: [],
    });
    expect(machine.open().replayed).toBe(3);
  });

  test.each([
    ['half a record', Buffer.from('{"seq":4,"ts":')],
    ['NULs', Buffer.alloc(100)],
    ['NULs up to a sector and an end', null],
  ])('moves a torn last line of %s to quarantine', (_what, given) => {
    const machine = withRecords(2);
    const good = bytesOf(machine.fs);
    const toSector = Buffer.alloc(512 - (good.length % 512));
    const torn = given ?? Buffer.concat([toSector, Buffer.from('"}\n')]);
    addLine(machine.fs, torn);
    const { quarantined, journal } = machine.open();
    expect(quarantined?.bytes).toBe(torn.length);
    expect(bytesOf(machine.fs, quarantined?.file)).toEqual(torn);
    expect(bytesOf(machine.fs)).toEqual(good);
    journal.append(note('goes on'));
    expect(machine.open().replayed).toBe(4);
  });

  test('refuses damage in the middle, changes nothing, and can be repaired', () => {
    const machine = withRecords(3);
    const damaged = bytesOf(machine.fs);
    const place = damaged.indexOf('n1');
    damaged.write('XYZ', place);
    replaceFile(machine.fs, LAYOUT.history, damaged);
    const start = damaged.lastIndexOf(0x0a, place) + 1;
    expect(machine.open).toThrow(`damaged at byte ${start}`);
    expect(machine.open).toThrow(code('E_JOURNAL_CORRUPT'));
    expect(bytesOf(machine.fs)).toEqual(damaged);
    expect(verifyChain(machine)).toMatchObject({ goodBytes: start });
    const repair = repairJournal(machine);
    expect(repair?.work).toMatchObject({ kept: 2, cut: { bytes: damaged.length - start } });
    expect(bytesOf(machine.fs, repair?.quarantined[0])).toEqual(damaged.subarray(start));
    expect(machine.open().state.slice(2)).toMatchObject([{ type: 'bytes_set_aside' }]);
  });

  test('refuses a journal that is shorter than its snapshot has seen', () => {
    const machine = withRecords(3);
    const state = machine.open().state;
    writeSnapshot(machine.fs, LAYOUT, {
      ...machine.journal.position(),
      schema: 1,
      synced: true,
      state,
    });
    const bytes = bytesOf(machine.fs);
    replaceFile(machine.fs, LAYOUT.history, bytes.subarray(0, bytes.indexOf(0x0a) + 1));
    expect(machine.open).toThrow(code('E_JOURNAL_CORRUPT'));
    repairJournal(machine);
    expect(machine.open().state.slice(0, -1)).toEqual(state);
  });

  test.each([
    ['an unknown type', { type: 'from_the_future' }],
    ['a known type of another shape', { type: 'note', kind: 5 }],
  ])('refuses %s as written by a newer version', (_what, body) => {
    const machine = withRecords(0);
    const checksum = Number.parseInt(machine.journal.position().chain, 16);
    addLine(machine.fs, encodeLine({ seq: 2, ts: 1, ...body }, checksum).bytes);
    expect(machine.open).toThrow(code('E_TOO_NEW'));
    expect(() => repairJournal(machine)).toThrow(code('E_TOO_NEW'));
  });

  test('passes over an unknown record that says it is optional', () => {
    const machine = withRecords(0);
    const checksum = Number.parseInt(machine.journal.position().chain, 16);
    const record = { seq: 2, ts: 1, type: 'from_the_future', optional: true };
    addLine(machine.fs, encodeLine(record, checksum).bytes);
    const { journal, replayed } = machine.open();
    expect(replayed).toBe(1);
    expect(journal.append(note('after')).seq).toBe(3);
  });

  test('refuses a format of the future', () => {
    const machine = withRecords(0);
    const [header] = machine.open().state;
    const { offset: _offset, ...record } = header as Located;
    replaceFile(machine.fs, LAYOUT.history, encodeLine({ ...record, format: 99 }, 0).bytes);
    expect(machine.open).toThrow(code('E_TOO_NEW'));
  });
});

test('state.json holds nothing that a terminal acts on, and says the same', () => {
  const state = { text: 'a\u009b31mb \u202e c \u001b]0;d\u0007' };
  const at = { run: 'r', seq: 1, offset: 0, chain: '00000000', size: 1, crc: '00000000' };
  const bytes = encodeSnapshot({ ...at, schema: 1, synced: true, state });
  expect(sanitize(bytes.toString())).toBe(bytes.toString());
  expect(decodeSnapshot(bytes)).toMatchObject({ state });
});
