import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { JournalTail } from '../../src/cli/journal-tail.ts';

let file = '';
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'journal-tail-')), 'history.jsonl');
  writeFileSync(file, '{"n":1}\n{"n":2}\n{"n":3}\n');
});
afterEach(() => rmSync(join(file, '..'), { recursive: true, force: true }));

test('a tail gives out a line once, and only when it is whole', () => {
  const tail = new JournalTail(file);
  expect(tail.read()).toHaveLength(3);
  appendFileSync(file, '{"a":');
  expect(tail.read()).toEqual([]);
  appendFileSync(file, '1}\n');
  expect(tail.read()).toMatchObject([{ text: '{"a":1}', record: null }]);
  expect(tail.read()).toEqual([]);
});

test('a tail starts again when another journal takes the place', () => {
  const tail = new JournalTail(file);
  tail.read();
  rmSync(file);
  writeFileSync(file, '{}\n');
  expect(tail.read()).toMatchObject([{ text: '{}', record: null }]);
});

test('a tail gives out a long journal some lines at a time, and a line without an end in parts', () => {
  const line = `{"a":"${'x'.repeat(1000)}"}\n`;
  appendFileSync(file, line.repeat(3000));
  const batches = [...new JournalTail(file).batches()];
  expect(batches.length).toBeGreaterThan(2);
  expect(batches.flat()).toHaveLength(3003);
  writeFileSync(file, 'x');
  truncateSync(file, 66 * 1024 * 1024);
  const parts = new JournalTail(file).read();
  expect(parts.map(({ text }) => text.length <= 65 * 1024 * 1024)).toEqual([true]);
});

test('a tail refuses at once a journal that is longer than any of ours', () => {
  truncateSync(file, 2 ** 31 + 1);
  expect(() => new JournalTail(file).read()).toThrow(/2,147,483,649 bytes/);
});

test.skipIf(process.platform === 'win32')('a tail reads nothing through a link', () => {
  const elsewhere = `${file}.elsewhere`;
  renameSync(file, elsewhere);
  symlinkSync(elsewhere, file);
  expect(() => new JournalTail(file).read()).toThrow('history.jsonl is a link');
});
