/** The change that a person is asked about, as text. */
import { expect, it } from 'vitest';
import { changeText } from '../../../src/round/permission/change-text.ts';

const bytes = (text: string) => Buffer.from(text);
const change = (path: string, before: string | null, after: string | null) => ({
  path,
  before: before === null ? null : bytes(before),
  after: after === null ? null : bytes(after),
});

it('is the lines of each file, with the lines around them', async () => {
  expect(await changeText([change('a.txt', 'one\ntwo\n', 'one\nthree\n')])).toBe(
    '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three',
  );
  expect(await changeText([change('new.txt', null, 'x\n'), change('old.txt', 'y\n', null)])).toBe(
    '--- /dev/null\n+++ new.txt\n@@ -0,0 +1,1 @@\n+x\n--- old.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-y',
  );
});

it('hides nothing: what cannot be seen is written out, but for tabs and the ends of lines', async () => {
  const text = await changeText([change('a.js', 'a\r\n', '\tb\u202e\r\n')]);
  expect(text).toContain('+\tb\\u{202e}');
  expect(text).not.toContain('\r');
});

it('shows the ends of lines where these change', async () => {
  const text = await changeText([change('a.txt', 'x\ny\n', 'x\r\ny\r\n')]);
  expect(text.split('\n').slice(3)).toEqual(['-x', '-y', '+x\\r', '+y\\r']);
});

it('says how much more there is of a long change, and of a long line', async () => {
  const lines = Array.from({ length: 500 }, (_, at) => `${at}\n`).join('');
  expect(await changeText([change('a.txt', null, lines)])).toMatch(/\n… and 103 more lines$/);
  const wide = await changeText([change('a.txt', null, 'x'.repeat(1000))]);
  expect(wide).toContain('… and 601 more characters');
});

it('shows no line of a file that may hold keys, nor of one that is not a text', async () => {
  expect(await changeText([change('.env', 'KEY=1\n', 'KEY=2\n')])).not.toContain('KEY');
  expect(await changeText([change('a.bin', 'a\0', 'b\0')])).toContain('not a text');
});

it('is empty where nothing changes', async () => {
  expect(await changeText([change('a.txt', 'same\n', 'same\n')])).toBe('');
});
