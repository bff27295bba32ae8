import { describe, expect, test } from 'vitest';
import { planRepair } from '../../src/journal/repair/plan.ts';
import { readDamaged } from '../../src/journal/repair/read-damaged.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { verifyChain } from '../../src/journal/repair/verify.ts';
import { writeSnapshot } from '../../src/journal/snapshot.ts';
import { fileKindAt, readFileIfPresent, replaceFile } from '../../src/lib/files/durable-files.ts';
import { journalMachine, LAYOUT, note } from '../support/journal-machine.ts';

const LAST = 7;
const code = (expected: string) => expect.objectContaining({ code: expected });

/** A journal of seven records; `snapshotAt`: the record that a snapshot has seen last. */
function damagedMachine(damage: (bytes: Buffer) => Buffer | null, snapshotAt?: number) {
  const machine = journalMachine();
  const { journal } = machine.create('the goal');
  for (let seq = 2; seq <= LAST; seq++) {
    journal.append(note(`what record ${seq} says`));
    if (seq === snapshotAt) {
      const opened = machine.open();
      const { state } = opened;
      opened.journal.close();
      const position = journal.position();
      writeSnapshot(machine.fs, LAYOUT, { ...position, schema: 1, synced: true, state });
    }
  }
  journal.close();
  const { state } = machine.open();
  const good = bytesOf(machine);
  const damaged = damage(Buffer.from(good));
  if (damaged === null) machine.fs.unlink(LAYOUT.history);
  else replaceFile(machine.fs, LAYOUT.history, damaged);
  return { ...machine, good, before: state };
}

const bytesOf = ({ fs }: Pick<ReturnType<typeof journalMachine>, 'fs'>, path = LAYOUT.history) =>
  readFileIfPresent(fs, path) ?? Buffer.alloc(0);

const linesOf = (bytes: Buffer): string[] => bytes.toString().split('\n').slice(0, -1);
const ofLines = (lines: readonly string[]) => Buffer.from(`${lines.join('\n')}\n`);

/** Overwrites the middle of a record with what is none. */
function spoilt(bytes: Buffer, record: number): Buffer {
  const lines = linesOf(bytes);
  const line = lines[record - 1] ?? '';
  lines[record - 1] = `${line.slice(0, 20)}${'#'.repeat(30)}${line.slice(50)}`;
  return ofLines(lines);
}

describe('what the checksums can prove is put right, to the byte', () => {
  test.each<[string, (bytes: Buffer) => Buffer, string[]]>([
    ['CR LF', (bytes) => Buffer.from(bytes.toString().replaceAll('\n', '\r\n')), ['line_ends']],
    ['a BOM', (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]), ['byte_order_mark']],
    ['blank lines', (bytes) => Buffer.concat([bytes, Buffer.from('\n \r\n')]), ['blank_lines']],
    [
      'all three',
      (bytes) => Buffer.from(`\ufeff${bytes.toString().replaceAll('\n', '\r\n')}\r\n\r\n`),
      ['byte_order_mark', 'line_ends', 'blank_lines'],
    ],
    [
      'a doubled line',
      (bytes) => ofLines(linesOf(bytes).flatMap((line, at) => (at === 3 ? [line, line] : [line]))),
      ['foreign_lines'],
    ],
    [
      'a line that was repeated later',
      (bytes) => ofLines([...linesOf(bytes), linesOf(bytes)[2] ?? '']),
      ['foreign_lines'],
    ],
    [
      'a line of somebody else',
      (bytes) => ofLines(linesOf(bytes).toSpliced(4, 0, '<<<<<<< HEAD')),
      ['foreign_lines'],
    ],
  ])('%s', (_what, damage, flaws) => {
    const machine = damagedMachine(damage);
    const damaged = bytesOf(machine);
    expect(machine.open).toThrow(code('E_JOURNAL_CORRUPT'));
    expect(planRepair(machine)).toMatchObject({ cut: null, bridged: [], kept: LAST });
    expect(bytesOf(machine), 'planning changes nothing').toEqual(damaged);
    const repair = repairJournal(machine);
    expect([...(repair?.work.flaws.keys() ?? [])].sort()).toEqual(flaws.sort());
    expect(bytesOf(machine)).toEqual(machine.good);
    expect(bytesOf(machine, repair?.quarantined[0]), 'the file as it was').toEqual(damaged);
    expect(repairJournal(machine)).toBeNull();
  });
});

test.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
  ['CR LF', (bytes) => Buffer.from(bytes.toString().replaceAll('\n', '\r\n')), /CR LF/],
  ['a BOM', (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]), /byte order mark/],
  ['blank lines', (bytes) => Buffer.concat([bytes, Buffer.from('\n')]), /blank line/],
  ['UTF-16', (bytes) => Buffer.from(`\ufeff${bytes}`, 'utf16le'), /UTF-16/],
])('a start names what an editor did: %s', (_what, damage, words) => {
  expect(damagedMachine(damage).open).toThrow(words);
});

test('UTF-16 is named and left to a person', () => {
  const machine = damagedMachine((bytes) => Buffer.from(`\ufeff${bytes}`, 'utf16le'));
  const damaged = bytesOf(machine);
  expect(() => repairJournal(machine)).toThrow(/UTF-16/);
  expect(bytesOf(machine)).toEqual(damaged);
});

describe('bytes that a snapshot has seen', () => {
  test.each([2, 4, 6])('stay where they are when record %i cannot be read', (record) => {
    const machine = damagedMachine((bytes) => spoilt(bytes, record), 6);
    const damaged = bytesOf(machine);
    const repair = repairJournal(machine);
    expect(repair).toMatchObject({ work: { cut: null, kept: LAST - 1 }, quarantined: [] });
    expect(bytesOf(machine).subarray(0, damaged.length)).toEqual(damaged);
    const opened = machine.open();
    expect(opened.state.slice(0, LAST)).toEqual(machine.before);
    expect(opened.state.at(-1)).toMatchObject({
      type: 'bytes_unreadable',
      spans: [{ records: 1 }],
    });
    opened.journal.append(note('goes on'));
    opened.journal.close();
    expect(repairJournal(machine), 'nothing more to do').toBeNull();
    expect(verifyChain(machine)).toMatchObject({ problem: '', spans: [{ records: 1 }] });
    machine.fs.unlink(LAYOUT.state);
    expect(machine.open().state.slice(0, LAST), 'without the snapshot').toEqual(machine.before);
  });

  test('the first record is written anew where that one cannot be read', () => {
    const machine = damagedMachine((bytes) => ofLines(['gone', ...linesOf(bytes).slice(3)]), 5);
    repairJournal(machine);
    const { state } = machine.open();
    expect(state.slice(0, LAST)).toEqual(machine.before);
    for (const record of state.slice(4))
      expect(machine.open().journal.readAt(record.offset).seq).toBe(record.seq);
    expect(linesOf(bytesOf(machine))[0]).toBe(linesOf(machine.good)[0]);
  });

  test('keep their room where lines are missing, so that every place stays true', () => {
    const machine = damagedMachine((bytes) => ofLines(linesOf(bytes).toSpliced(2, 2)), 6);
    repairJournal(machine);
    const { journal, state } = machine.open();
    expect(journal.readAt(state[LAST - 1]?.offset ?? 0)).toMatchObject({ seq: LAST });
  });

  test.each<[string, (bytes: Buffer) => Buffer | null]>([
    ['an older journal', (bytes) => ofLines(linesOf(bytes).slice(0, 3))],
    ['a journal of 0 bytes', () => Buffer.alloc(0)],
    ['no journal', () => null],
  ])('are enough to go on with %s', (_what, damage) => {
    const machine = damagedMachine(damage, LAST);
    expect(() => machine.openIfAny()).toThrow(/E_|missing|seen|empty/);
    repairJournal(machine);
    const opened = machine.open();
    expect(opened.state.slice(0, LAST)).toEqual(machine.before);
    opened.journal.append(note('goes on'));
    opened.journal.close();
    expect(machine.open().state).toHaveLength(LAST + 2);
    expect(repairJournal(machine)).toBeNull();
    machine.fs.unlink(LAYOUT.state);
    expect(machine.open().state.slice(0, LAST), 'without the snapshot').toEqual(machine.before);
  });
});

describe('bytes that no snapshot has seen', () => {
  test('are cut off, and everything before stays', () => {
    const machine = damagedMachine((bytes) => spoilt(bytes, 6), 4);
    const damaged = bytesOf(machine);
    const repair = repairJournal(machine);
    expect(repair?.work).toMatchObject({ kept: 5, bridged: [], snapshot: 'kept' });
    const opened = machine.open();
    expect(opened.replayed).toBeLessThan(5);
    expect(opened.state.slice(0, -1)).toEqual(machine.before.slice(0, 5));
    expect(opened.state.at(-1)).toMatchObject({
      type: 'bytes_set_aside',
      file: expect.any(String),
    });
    expect(damaged.subarray(-20)).toEqual(bytesOf(machine, repair?.quarantined[0]).subarray(-20));
  });

  test('are cut off behind bytes that one has seen', () => {
    const machine = damagedMachine((bytes) => spoilt(spoilt(bytes, 2), 6), 4);
    expect(repairJournal(machine)?.work).toMatchObject({ kept: 4, bridged: [{ records: 1 }] });
    expect(machine.open().state.slice(0, 5)).toEqual(machine.before.slice(0, 5));
    expect(repairJournal(machine)).toBeNull();
  });

  test.each<[string, (bytes: Buffer) => Buffer | null]>([
    ['a journal of 0 bytes', () => Buffer.alloc(0)],
    ['a first record that cannot be read', (bytes) => spoilt(bytes, 1)],
    ['no journal', () => null],
  ])('leave no run behind with %s, and a new one can begin', (_what, damage) => {
    const machine = damagedMachine(damage);
    machine.fs.mkdir(`${LAYOUT.blobs}/x`);
    expect(() => machine.openIfAny()).toThrow();
    expect(repairJournal(machine)?.work.journal).toBe('set_aside');
    expect(machine.openIfAny()).toBeNull();
    expect(repairJournal(machine)).toBeNull();
    machine.create('another goal').journal.close();
    expect(fileKindAt(machine.fs, LAYOUT.setAside)).toBeNull();
    machine.fs.unlink(LAYOUT.history);
    expect(() => machine.openIfAny(), 'a new journal that is lost is lost').toThrow(
      code('E_JOURNAL_MISSING'),
    );
  });
});

test('a large damaged line is not the last one where records follow it', () => {
  const machine = damagedMachine((bytes) => {
    const lines = linesOf(bytes);
    lines[2] = (lines[2] ?? '').replace('says', `says${'\0'.repeat(9 * 1024 * 1024)}`);
    return ofLines(lines);
  });
  const fd = machine.fs.open(LAYOUT.history, 'r');
  expect(readDamaged(machine.fs, fd, machine.format)).toMatchObject({
    ...{ tail: 'clean', records: LAST - 1, lastSeq: LAST },
    gaps: [{ firstSeq: 3, nextSeq: 4 }],
  });
});

test('killed anywhere, the next repair does the rest', () => {
  const damages = [
    (bytes: Buffer) => spoilt(bytes, 3),
    (bytes: Buffer) => ofLines(linesOf(spoilt(bytes, LAST)).slice(2)),
    (bytes: Buffer) => Buffer.from(bytes.toString().replaceAll('\n', '\r\n')),
    (bytes: Buffer) => ofLines(linesOf(bytes).slice(0, 2)),
  ];
  const toldIn = (machine: ReturnType<typeof damagedMachine>) =>
    machine.open().state.filter(({ type }) => type === 'note' || type === 'run_opened');
  for (const damage of damages) {
    const calm = damagedMachine(damage, 5);
    repairJournal(calm);
    for (let last = 0, isKilled = true; isKilled; last++) {
      const machine = damagedMachine(damage, 5);
      isKilled = killedAfter(machine, last);
      repairJournal(machine);
      expect(toldIn(machine), `killed after ${last}`).toEqual(toldIn(calm));
      expect(repairJournal(machine)).toBeNull();
    }
  }
});

/** Whether a repair came to be killed before its operation `last`. */
function killedAfter(machine: ReturnType<typeof damagedMachine>, last: number): boolean {
  let left = last;
  const fs = new Proxy(machine.fs, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const isChange = ['write', 'rename', 'ftruncate', 'unlink'].includes(String(name));
        if (isChange && left-- <= 0) throw new Error('killed');
        return value.apply(target, args);
      };
    },
  });
  try {
    repairJournal({ ...machine, fs });
    return false;
  } catch (error) {
    if (!String(error).includes('killed')) throw error;
    return true;
  }
}

test('a repair goes by the names of blobs, and reads none of those that cannot be doubted', () => {
  const machine = journalMachine();
  const { journal } = machine.create('the goal');
  for (let n = 0; n < 20; n += 1) {
    journal.append(note(`${n}${'x'.repeat(20_000)}`));
    journal.sync();
  }
  const opened = machine.open();
  const snapshot = { ...journal.position(), schema: 1, synced: true, state: opened.state };
  writeSnapshot(machine.fs, LAYOUT, snapshot);
  journal.close();
  replaceFile(machine.fs, LAYOUT.history, spoilt(bytesOf(machine), 5));
  const read: string[] = [];
  const { open } = machine.fs;
  machine.fs.open = (path, flags, mode) => {
    if (path.startsWith(LAYOUT.blobs) && flags === 'r') read.push(path);
    return open.call(machine.fs, path, flags, mode);
  };
  repairJournal(machine);
  expect(new Set(read).size).toBeLessThanOrEqual(2);
  expect(machine.open().state.length).toBeGreaterThan(19);
});
