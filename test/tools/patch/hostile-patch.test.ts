/** What becomes of a file by patches that no tool writes, and by all that a tool may write. */
import { createTwoFilesPatch } from 'diff';
import { expect, test } from 'vitest';
import { patchLines } from '../../../src/tools/patch/file-patch.ts';
import { fittingHunks } from '../../../src/tools/patch/fit-hunks.ts';
import { isMarked, parseMarked } from '../../../src/tools/patch/parse-marked.ts';
import { parseUnified } from '../../../src/tools/patch/parse-unified.ts';
import { judgePath } from '../../../src/workspace/path-rules.ts';
import { fc } from '../../support/dice.ts';

function filesOf(patch: string) {
  const lines = patchLines(patch);
  const parsed = isMarked(lines) ? parseMarked(lines) : parseUnified(lines);
  if (parsed.kind === 'fault') throw new Error(parsed.fault);
  return parsed.files;
}

/** The text with a patch of one file, or the number of the hunk that does not fit. */
function patched(text: string, patch: string): string | number {
  const [file] = filesOf(patch);
  const pieces = fittingHunks(text, file?.hunks ?? []);
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value.kind === 'fits' ? value.text : value.hunk;
  }
}

const withHunks = (hunks: string): string => `--- a/f\n+++ b/f\n${hunks}`;
const THREE = 'one\ntwo\nthree\n';

test.each(['0', '7', '4294967297', '9007199254740993', '9'.repeat(40), '9'.repeat(400)])(
  'a hunk with the number %s stands where its lines do, and new lines are not beyond the end',
  (number) => {
    const at = `@@ -${number},1 +${number},1 @@\n`;
    expect(patched(THREE, withHunks(`${at}-two\n+2\n`))).toBe('one\n2\nthree\n');
    expect(patched(THREE, withHunks(`${at}-four\n+4\n`))).toBe(1);
    const end = number === '0' ? `new\n${THREE}` : `${THREE}new\n`;
    expect(patched(THREE, withHunks(`${at}+new\n`))).toBe(end);
    expect(patched('', withHunks(`${at}+new\n`))).toBe('new\n');
    expect(patched(THREE, withHunks(`${at}-two\n${at}+new\n`))).toMatch(
      /^one\n(?:new\n)?three\n(?:new\n)?$/,
    );
  },
);

test.each([
  ['of negative numbers', THREE, '@@ -1,-1 +1,-1 @@\n-two\n+2\n', 'one\n2\nthree\n'],
  ['of no numbers', THREE, '@@ -1e3 +0x1 @@\n-two\n+2\n', 'one\n2\nthree\n'],
  [
    'in the order of their numbers, over each other',
    'a\nb\nc\n',
    '@@ -1,2 +1,2 @@\n-a\n+x\n b\n@@ -2 +2 @@\n-b\n+y\n',
    2,
  ],
  ['in another order', 'a\nb\nc\n', '@@ -3 +3 @@\n-c\n+z\n@@ -1 +1 @@\n-a\n+x\n', 2],
  // Only one of its lines is left by then, so nothing is written twice.
  [
    'in another order, among lines that are the same',
    'c\nb\nb\nc\na\n',
    '@@ -4,1 +4,2 @@\n+x\n c\n@@ -1,2 +1,1 @@\n b\n-b\n',
    2,
  ],
  [
    'that shift each other',
    'a\na\nb\na\n',
    '@@ -1 +1 @@\n-b\n+x\n@@ -2 +2 @@\n-a\n+y\n',
    'a\na\nx\ny\n',
  ],
  [
    'as near to the number as can be',
    'b\na\na\na\nb\n',
    '@@ -4 +4 @@\n-b\n+x\n',
    'b\na\na\na\nx\n',
  ],
  ['of lines that say that nothing follows', 'a\n', '@@ -1 +1 @@\n\\\n\\\n-a\n+b\n', 'b\n'],
  ['before a line that is empty', '\n', '@@ -1 +1,2 @@\n+a\n \n', 'a\n\n'],
  ['of a return in a line', 'a\rb\n', '@@ -1 +1 @@\n-a\rb\n+c\n', 'c\n'],
  ['of other line ends than the file', 'a\r\nb\r\n', '@@ -1,2 +1,2 @@\n a\n-b\n+c\n', 'a\r\nc\r\n'],
  [
    'of characters that nobody sees',
    'a\n',
    '@@ -1 +1 @@\n-a\n+\u202eb\0\ud800\n',
    '\u202eb\0\ud800\n',
  ],
])('hunks %s', (_what, text, hunks, expected) => {
  expect(patched(text, withHunks(hunks))).toBe(expected);
});

test('lines that are all the same are looked at once', () => {
  const same = 'a\n'.repeat(100_000);
  const hunk = `${' a\n'.repeat(10_000)}-b\n`;
  for (const head of ['@@', '@@ -1 +1 @@', '@@ -50000 +1 @@'])
    expect(patched(same, withHunks(`${head}\n${hunk}`)), head).toBe(1);
  const many = '@@ -1 +1 @@\n-a\n+b\n'.repeat(5000);
  expect(patched(same, withHunks(many))).toBe('b\n'.repeat(5000) + 'a\n'.repeat(95_000));
});

test('what a tool writes gives the text that it was made for, whatever its lines are', () => {
  const lines = ['a', 'b', '', ' ', '-', '+', '--- x', '+++ y', '@@', '@@ -1 +1 @@', '\\ x', '```'];
  const marks = ['*** End Patch', 'diff --git a/x b/x', 'Index: q', '=====', 'rename from x'];
  const text = fc.array(fc.constantFrom(...lines, ...marks), { maxLength: 9 });
  const written = fc.record({
    old: text,
    now: text,
    context: fc.nat(3),
    isClosed: fc.boolean(),
    isWindows: fc.boolean(),
  });
  fc.assert(
    fc.property(written, ({ old, now, context, isClosed, isWindows }) => {
      // A file without line ends does not say which they are.
      const end = isWindows && old.length > 1 ? '\r\n' : '\n';
      const [before, after] = [old, now].map(
        (all) => all.join(end) + (isClosed && all.length > 0 ? end : ''),
      );
      fc.pre(before !== undefined && after !== undefined && before !== after);
      const patch = createTwoFilesPatch('a/f', 'b/f', before ?? '', after ?? '', '', '', {
        context,
      });
      expect(patched(before ?? '', patch)).toBe(after);
    }),
    { seed: 5, numRuns: 500 },
  );
});

test.each([
  ...[
    '/etc/passwd',
    '../x',
    'a/../../x',
    '~/x',
    'C:/x',
    'c:x',
    '//host/share/x',
    '\\\\host\\share\\x',
    '\\\\?\\C:\\x',
    '\\\\.\\NUL',
  ],
  ...[
    'a.txt:x',
    'a.txt::$DATA',
    'CON',
    'nul.txt',
    'a/COM1',
    'LPT\u00b9.md',
    'CONIN$',
    'a.',
    'a\u0000b',
    'a\u001bb',
    'a\ud800',
  ],
])('a patch of the path %j is for no file here', (path) => {
  const quoted = `"${path.replace(/["\\]/g, '\\$&')}"`;
  for (const patch of [
    `--- ${path}\n+++ ${path}\n@@\n-a\n`,
    `--- /dev/null\n+++ ${quoted}\n@@\n+a\n`,
    `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`,
    `diff --git a/x b/y\nrename from x\nrename to ${path}\n`,
  ]) {
    const places = filesOf(patch).flatMap(({ path: from, to = 'x' }) => [from, to]);
    expect(
      places.some((place) => judgePath(place).kind === 'refused'),
      patch,
    ).toBe(true);
  }
});

test('a name in quotes is read as git writes it, or as it is', () => {
  const written = String.raw`"b/\303\244 \"\\ \t¹日\346\227\245.txt"`;
  expect(filesOf(`--- /dev/null\n+++ ${written}\n@@\n+a\n`)[0]?.path).toBe('ä "\\ \t¹日日.txt');
});
