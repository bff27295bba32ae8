/** Edits of large files are prepared in pieces; interrupted in any of them, nothing was changed. */
import { describe, expect, it } from 'vitest';
import {
  type InterruptibleRunner,
  isInterrupt,
  runSync,
  withPauses,
} from '../../src/lib/interruptible.ts';
import { applyPatch } from '../../src/tools/builtin/apply-patch.ts';
import { editFile } from '../../src/tools/builtin/edit-file.ts';
import { writeFile } from '../../src/tools/builtin/write-file.ts';
import { countingLines } from '../../src/tools/files/line-counts.ts';
import { replacing } from '../../src/tools/files/replace-text.ts';
import { makeWorkspace } from './support.ts';

/** Enough for several pieces. */
const LINES = 100_000;
const LARGE = 'a line\r\n'.repeat(LINES);

/** Aborts in the pause of that number. */
function abortingIn(pause: number) {
  const interrupt = new AbortController();
  const seen = { pauses: 0 };
  const breathe = async () => {
    seen.pauses += 1;
    if (seen.pauses === pause) interrupt.abort();
  };
  const runInterruptibly: InterruptibleRunner = (work) =>
    withPauses(work, breathe, interrupt.signal);
  return { seen, runInterruptibly };
}

const PATCH = (file: string): string => `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-old\n+new\n`;

describe('preparing a change', () => {
  it.each([
    [
      'every place of a large file',
      5,
      () => editFile,
      { path: 'large.txt', old_text: 'line', new_text: 'row', replace_all: true },
    ],
    [
      'several edits',
      4,
      () => editFile,
      {
        path: 'small.txt',
        edits: ['1', '2', '3'].map((n) => ({ old_text: n, new_text: `${n}0` })),
      },
    ],
    ['a file of its own', 3, () => writeFile, { path: 'new.txt', content: 'new\n' }],
    [
      'a patch of several files',
      2,
      () => applyPatch,
      { patch: PATCH('old1.txt') + PATCH('old2.txt') },
    ],
    [
      'a patch of a large file',
      6,
      () => applyPatch,
      { patch: `--- a/large.txt\n+++ b/large.txt\n@@ -9 +9 @@\n-a line\n+another\n` },
    ],
    [
      'a patch that does not fit a large file',
      5,
      () => applyPatch,
      {
        patch: `--- a/large.txt\n+++ b/large.txt\n${'@@ -9 +9 @@\n-a line\n+row\n'.repeat(3)}@@ -90 +90 @@\n-no such line\n+row\n`,
      },
    ],
  ] as const)(
    'of %s is left off in whichever pause it is interrupted',
    async (what, least, tool, args) => {
      const workspace = makeWorkspace();
      const files = {
        'large.txt': 'a line\r\n'.repeat(60_000),
        'small.txt': '1\n2\n3\n',
        'old1.txt': 'old\n',
        'old2.txt': 'old\n',
      };
      for (const [name, text] of Object.entries(files)) workspace.write(name, text);
      // The first ones, then every hundredth: a large file has many, and each try reads it anew.
      for (let pause = 1; ; pause += pause < least - 1 ? 1 : 100) {
        const { runInterruptibly } = abortingIn(pause);
        const context = { ...workspace.context, runInterruptibly };
        const prepared = await tool()
          .prepare(args as never, context)
          .catch((error: unknown) => error);
        if (!isInterrupt(prepared)) {
          const kind = what.includes('not fit') ? 'refused' : 'ready';
          expect(prepared).toMatchObject({ kind });
          expect(pause).toBeGreaterThan(least);
          break;
        }
        for (const [name, text] of Object.entries(files)) expect(workspace.read(name)).toBe(text);
        expect(workspace.exists('new.txt')).toBe(false);
      }
    },
  );
});

describe('what is done in pieces', () => {
  const how = { all: true, isTooLong: () => false };

  it('comes out as it would in one go, with the line ends of the file', () => {
    const replaced = runSync(replacing(LARGE, 'line\n', 'row\n', how));
    expect(replaced).toEqual({
      kind: 'replaced',
      text: 'a row\r\n'.repeat(LINES),
      count: LINES,
    });
  });

  it.each([
    ['replacing', () => replacing(LARGE, 'line', 'row', how)],
    [
      'counting lines that have nothing in common',
      () => countingLines(Buffer.from(numbered('a')), Buffer.from(numbered('b'))),
    ],
  ])('has a pause after each so many: %s', (_, work) => {
    let pauses = 0;
    const pieces: Iterator<void> = work();
    while (!pieces.next().done) pauses += 1;
    expect(pauses).toBeGreaterThan(5);
  });

  it('tells how many lines, in whatever order', () => {
    const counts = { added: LINES, removed: LINES };
    expect(runSync(countingLines(Buffer.from(numbered('a')), Buffer.from(numbered('b'))))).toEqual(
      counts,
    );
    expect(runSync(countingLines(null, Buffer.from('a\nb\n')))).toEqual({ added: 2, removed: 0 });
  });
});

const numbered = (word: string): string =>
  Array.from({ length: LINES }, (_, n) => `${word} ${n}\n`).join('');
