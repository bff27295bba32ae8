import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/lib/sha256.ts';
import { applyPatch } from '../../../src/tools/builtin/apply-patch.ts';
import { makeWorkspace, type TestWorkspace, use } from '../support.ts';

const patched = (workspace: TestWorkspace, patch: string) => use(applyPatch, workspace, { patch });

const file = (name: string, hunks: string): string => `--- a/${name}\n+++ b/${name}\n${hunks}`;

function withFiles(files: Record<string, string>): TestWorkspace {
  const workspace = makeWorkspace();
  for (const [name, content] of Object.entries(files)) workspace.writeKnown(name, content);
  return workspace;
}

const TEN = Array.from({ length: 10 }, (_, line) => `line ${line + 1}\n`).join('');

describe('apply_patch', () => {
  it('changes several files at once and says what became of each', async () => {
    const workspace = withFiles({ 'a.txt': 'one\ntwo\n', 'b.txt': 'x\n' });
    const patch = `${file('a.txt', '@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n')}--- /dev/null\n+++ b/d/c.txt\n@@ -0,0 +1,2 @@\n+new\n+file\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`;
    const result = await patched(workspace, patch);
    expect(result).toEqual({
      status: 'ok',
      content: 'Changed a.txt\nMade d/c.txt\nDeleted b.txt',
      facts: { changed: true },
      hashes: { 'a.txt': sha256('one\nzwei\n'), 'd/c.txt': sha256('new\nfile\n'), 'b.txt': null },
    });
    expect(workspace.read('a.txt')).toBe('one\nzwei\n');
    expect(workspace.read('d/c.txt')).toBe('new\nfile\n');
    expect(workspace.exists('b.txt')).toBe(false);
    expect([...workspace.blobs.keys()]).toContain(sha256('x\n'));
  });

  it.each([
    ['wrong counts', '@@ -1,9 +1,7 @@\n line 1\n-line 2\n+LINE 2\n line 3\n'],
    ['a wrong place', '@@ -7,3 +7,3 @@\n line 1\n-line 2\n+LINE 2\n line 3\n'],
    ['no numbers', '@@\n line 1\n-line 2\n+LINE 2\n'],
    ['a line above it named', '@@ line 1\n-line 2\n+LINE 2\n'],
    ['no end of line at its end', '@@ -2 +2 @@\n-line 2\n+LINE 2'],
    ['an empty line between hunks', '@@ -2 +2 @@\n-line 2\n+LINE 2\n\n'],
  ])('takes a hunk with %s where it fits', async (_, hunk) => {
    const workspace = withFiles({ 'a.txt': TEN });
    expect(await patched(workspace, file('a.txt', hunk))).toMatchObject({ status: 'ok' });
    expect(workspace.read('a.txt')).toBe(TEN.replace('line 2\n', 'LINE 2\n'));
  });

  it.each([
    ['in a frame of Markdown', (patch: string) => `\`\`\`diff\n${patch}\`\`\`\n`],
    ['with the line ends of Windows', (patch: string) => patch.replaceAll('\n', '\r\n')],
    [
      'as git writes it',
      (patch: string) => `diff --git a/a.txt b/a.txt\nindex 1..2 100644\n${patch}`,
    ],
    [
      'twice about one file',
      (patch: string) => `${patch}${file('a.txt', '@@ -9 +9 @@\n-line 9\n+nine\n')}`,
    ],
    ['with names that have no prefix', (patch: string) => patch.replace(/[ab]\/a/g, 'a')],
  ])('is read %s', async (_, written) => {
    const workspace = withFiles({ 'a.txt': TEN });
    const patch = file('a.txt', '@@ -1,2 +1,2 @@\n line 1\n-line 2\n+two\n');
    expect(await patched(workspace, written(patch))).toMatchObject({ status: 'ok' });
    expect(workspace.read('a.txt')).toContain('line 1\ntwo\nline 3');
  });

  it.each([
    ['-5,0 +6', 5],
    ['-0,0 +1', 0],
    ['-10,0 +11', 10],
  ])('inserts below the line that a hunk without old lines names: %s', async (where, after) => {
    const workspace = withFiles({ 'a.txt': TEN });
    await patched(workspace, file('a.txt', `@@ ${where} @@\n+new\n`));
    const lines = TEN.split('\n');
    expect(workspace.read('a.txt')).toBe(
      [...lines.slice(0, after), 'new', ...lines.slice(after)].join('\n'),
    );
  });

  it('understands the form that begins with *** Begin Patch', async () => {
    const workspace = withFiles({ 'a.txt': TEN, 'b.txt': 'bye\n', 'c.txt': 'old\n' });
    const patch = [
      '*** Begin Patch',
      ...['*** Update File: a.txt', '@@ line 4', ' line 5', '-line 6', '+six'],
      ...['@@', ' line 9', '+nine and a half', '*** Add File: n/new.txt', '+hello'],
      ...['*** Delete File: b.txt', '*** Update File: c.txt', '*** Move to: d/c.txt', '@@'],
      ...['-old', '+new', '*** End Patch'],
    ].join('\n');
    const { content } = await patched(workspace, patch);
    expect(content).toBe('Changed a.txt\nMade n/new.txt\nDeleted b.txt\nMoved c.txt to d/c.txt');
    expect(workspace.read('a.txt')).toContain('line 5\nsix\nline 7');
    expect(workspace.read('a.txt')).toContain('line 9\nnine and a half\nline 10');
    expect([workspace.read('n/new.txt'), workspace.read('d/c.txt')]).toEqual(['hello\n', 'new\n']);
    expect([workspace.exists('b.txt'), workspace.exists('c.txt')]).toEqual([false, false]);
  });

  it.each([
    ['*** Begin Patch\n*** Add File: b.md', '\n*** End Patch'],
    ['--- /dev/null\n+++ b/b.md\n@@ -0,0 +1,4 @@', '\n'],
  ])('takes an empty line of a new file for one: %j', async (start, end) => {
    const workspace = makeWorkspace();
    await patched(workspace, `${start}\n+# T\n\n \n+p1${end}`);
    expect(workspace.read('b.md')).toBe('# T\n\n\np1\n');
  });

  it.each([
    ['of Windows', 'one\r\ntwo\r\nthree', 'one\r\nzwei\r\nmore\r\nthree'],
    ['of both kinds', 'one\r\ntwo\r\nx\nthree', 'one\r\nzwei\r\nmore\r\nx\nthree'],
    ['and no last one', 'one\ntwo', 'one\nzwei\nmore'],
  ])('keeps the line ends of a file %s', async (_, before, after) => {
    const workspace = withFiles({ 'a.txt': before });
    const hunk = '@@ -1,2 +1,3 @@\n one\n-two\n+zwei\n+more\n';
    expect(await patched(workspace, file('a.txt', hunk))).toMatchObject({ status: 'ok' });
    expect(workspace.read('a.txt')).toBe(after);
  });

  it('keeps byte order mark and encoding', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', Buffer.from('\ufeffone\ntwo\n', 'utf16le'));
    await patched(workspace, file('a.txt', '@@ -2 +2 @@\n-two\n+zwei\n'));
    expect(workspace.bytes('a.txt')).toEqual(Buffer.from('\ufeffone\nzwei\n', 'utf16le'));
  });

  it.each([
    [
      'a hunk that fits nowhere',
      file('a.txt', '@@ -1 +1 @@\n-line one\n+x\n'),
      'Hunk 1 does not fit a.txt. The closest lines, from line 1:\nline 1',
    ],
    [
      'a second hunk that does not',
      file('a.txt', '@@ -1 +1 @@\n-line 1\n+x\n@@ -5 +5 @@\n-line 55\n+y\n'),
      'Hunk 2 does not fit a.txt',
    ],
    ['lines that stand there twice', file('twice.txt', '@@\n-x\n+y\n'), 'more than once'],
    ['a file that is not there', file('no.txt', '@@ -1 +1 @@\n-x\n+y\n'), 'There is no no.txt.'],
    [
      'a new file that is there',
      '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n',
      'is there already',
    ],
    [
      'a deletion of more than it says',
      '--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-line 1\n',
      'holds more than the patch deletes',
    ],
    ['a place outside', file('../x.txt', '@@ -1 +1 @@\n-x\n+y\n'), 'leads out of the workspace'],
    [
      'a place in .git',
      '*** Begin Patch\n*** Add File: .git/hooks/x\n+x\n*** End Patch',
      'nothing in .git may be changed',
    ],
    [
      'a line that is none',
      file('a.txt', '@@ -1 +1 @@\nline 1\n+y\n'),
      'begins with a space, + or -',
    ],
    [
      'a binary patch',
      'diff --git a/l.png b/l.png\nGIT binary patch\nliteral 3\n',
      'binary files are not patched',
    ],
    [
      'a link',
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n',
      'links and submodules',
    ],
    [
      'a line of a new file without a plus',
      '*** Begin Patch\n*** Add File: b.md\n+# T\n\n+p1\n more\n*** End Patch',
      'Line 4 of the new file b.md does not begin with +:  more',
    ],
    [
      'an old line in a new file',
      '--- /dev/null\n+++ b/b.md\n@@ -0,0 +1,2 @@\n+x\n-y\n',
      'Line 2 of the new file b.md does not begin with +: -y',
    ],
    ['no change', file('a.txt', '@@ -1 +1 @@\n-line 1\n+line 1\n'), 'changes nothing in a.txt'],
    [
      'no hunk',
      '*** Begin Patch\n*** Update File: a.txt\n*** End Patch',
      'changes nothing in a.txt',
    ],
    ['a hunk before any file', '@@ -1 +1 @@\n-x\n+y\n', 'before any file'],
    ['no patch at all', 'please change line 1', 'names no file'],
    [
      'a move onto a file',
      'diff --git a/a.txt b/twice.txt\nrename from a.txt\nrename to twice.txt\n',
      'exists already',
    ],
    [
      'a file named twice',
      '*** Begin Patch\n*** Delete File: a.txt\n*** Add File: a.txt\n+x\n*** End Patch',
      /is there already|named twice/,
    ],
  ])('with %s changes nothing', async (_, patch, words) => {
    const workspace = withFiles({ 'a.txt': TEN, 'twice.txt': 'x\nx\n', 'good.txt': 'good\n' });
    const both = patch.startsWith('***')
      ? patch
      : `${file('good.txt', '@@ -1 +1 @@\n-good\n+better\n')}${patch}`;
    const result = await patched(
      workspace,
      /names no|before any/.test(String(words)) ? patch : both,
    );
    expect(result.status).toBe('error');
    expect(result.content).toMatch(words);
    expect(workspace.read('good.txt')).toBe('good\n');
    expect(workspace.read('a.txt')).toBe(TEN);
  });

  it('changes a file that changed since it was read where its lines stand once, and nowhere else', async () => {
    const workspace = withFiles({ 'a.txt': 'one\ntwo\n' });
    const isConflict = async (patch: string): Promise<void> => {
      const refused = await patched(workspace, patch);
      expect(refused, patch).toMatchObject({ status: 'conflict' });
      expect(refused.content).toContain('changed since it was last read');
    };
    workspace.write('a.txt', 'three\none\ntwo\ntwo\n');
    const result = await patched(workspace, file('a.txt', '@@ -1 +1 @@\n-one\n+eins\n'));
    expect(result).toMatchObject({ status: 'ok' });
    expect(workspace.read('a.txt')).toBe('three\neins\ntwo\ntwo\n');
    for (const hunk of [
      '@@ -2 +2 @@\n-two\n+zwei\n',
      '@@ -1 +1 @@\n-gone\n+x\n',
      '@@ -0,0 +1 @@\n+new\n',
    ])
      await isConflict(file('a.txt', hunk));
    await isConflict('*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n');
    await isConflict(
      'diff --git a/a.txt b/b.txt\nrename from a.txt\nrename to b.txt\n--- a/a.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-eins\n+one\n',
    );
  });

  it('names every path that it would read or change, before anything is looked at', () => {
    const patch = `diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"\nold mode 100644\nnew mode 100755\ndiff --git a/x b/y\nrename from x\nrename to y\n`;
    expect(applyPatch.reaches?.({ patch })).toEqual(
      ['ä.txt', 'x', 'y'].flatMap((path) => [
        { does: 'read', path },
        { does: 'edit', path },
      ]),
    );
    expect(applyPatch.target?.({ patch })?.text).toBe('ä.txt, x, y');
  });

  it('reads half a megabyte of nonsense in no time', () => {
    const long = 'a'.repeat(250_000);
    for (const patch of [
      `diff --git a/${long} b/${long}`,
      `@@ ${' '.repeat(500_000)}`,
      `*** Update File: a\n${'\n'.repeat(250_000)}+x`,
      '*** Update File: a\n+x\n'.repeat(25_000),
      `*** Update File: ${long}\n@@${' '.repeat(250_000)}x`,
    ])
      expect(applyPatch.reaches?.({ patch })).toBeDefined();
  });
});
