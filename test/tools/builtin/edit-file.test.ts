import { describe, expect, it } from 'vitest';
import { runSync } from '../../../src/lib/interruptible.ts';
import { editFile } from '../../../src/tools/builtin/edit-file.ts';
import { replacing } from '../../../src/tools/files/replace-text.ts';
import { fc } from '../../support/dice.ts';
import { makeWorkspace, use } from '../support.ts';

const once = { all: false, isTooLong: () => false };

describe('edit_file', () => {
  it('replaces one exact piece', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.py', 'x = 1\ny = 2\n');
    const args = { path: 'a.py', old_text: 'y = 2', new_text: 'y = 3' };
    expect(await use(editFile, workspace, args)).toMatchObject({
      status: 'ok',
      content: 'Replaced old_text in a.py',
      facts: { changed: true },
    });
    expect(workspace.read('a.py')).toBe('x = 1\ny = 3\n');
  });

  it.each([
    ['CRLF', 'a\r\nb\r\nc\r\n', 'a\nb\n', 'a\nB\nb2\n', 'a\r\nB\r\nb2\r\nc\r\n'],
    ['one line of CRLF', 'a\r\nb\r\n', 'b', 'b\nc', 'a\r\nb\r\nc\r\n'],
    ['mixed endings, in the CRLF part', 'a\nb\nc\r\nd\r\n', 'c\nd', 'C\nD', 'a\nb\nC\r\nD\r\n'],
    ['mixed endings, in the LF part', 'a\nb\nc\r\nd\r\n', 'a\nb', 'A\nB', 'A\nB\nc\r\nd\r\n'],
    ['CRLF given as CRLF', 'a\r\nb\r\n', 'a\r\nb', 'x\r\ny', 'x\r\ny\r\n'],
    ['a break at the edge', 'a\r\nb\r\nc', '\nb', '', 'a\r\nc'],
    ['a byte order mark', '\ufeffa\r\nb', 'a', 'z', '\ufeffz\r\nb'],
    ['$ patterns', 'cost', 'cost', '$& $1', '$& $1'],
  ])('keeps %s', async (_, before, oldText, newText, after) => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', before);
    await use(editFile, workspace, { path: 'a.txt', old_text: oldText, new_text: newText });
    expect(workspace.read('a.txt')).toBe(after);
  });

  it('keeps UTF-16 and bytes that are no Unicode', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('wide', Buffer.from('\ufeffgrün\r\nx', 'utf16le').swap16());
    await use(editFile, workspace, { path: 'wide', old_text: 'x', new_text: 'y\nz' });
    expect(workspace.bytes('wide')).toEqual(
      Buffer.from('\ufeffgrün\r\ny\r\nz', 'utf16le').swap16(),
    );
    workspace.writeKnown('latin', Buffer.from('caf\xe9 = 1', 'latin1'));
    await use(editFile, workspace, { path: 'latin', old_text: '1', new_text: '2' });
    expect(workspace.bytes('latin')).toEqual(Buffer.from('caf\xe9 = 2', 'latin1'));
    workspace.known.delete('latin');
    const wide = await use(editFile, workspace, { path: 'latin', old_text: '2', new_text: '日' });
    expect(wide.content).toContain('Latin-1');
  });

  it('says where a text stands that is there more than once, and replaces all when asked', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'foo\r\nbar\r\nfoo\r\n');
    const args = { path: 'a.txt', old_text: 'foo', new_text: 'f' };
    const ambiguous = await use(editFile, workspace, args);
    expect(ambiguous).toMatchObject({ status: 'error' });
    expect(ambiguous.content).toContain('2 times in a.txt (lines 1, 3)');
    await use(editFile, workspace, { ...args, replace_all: true });
    expect(workspace.read('a.txt')).toBe('f\r\nbar\r\nf\r\n');
  });

  it('shows the closest lines when the text is not there', async () => {
    const workspace = makeWorkspace();
    const text = 'import os\n\ndef area(width, height):\n    return width * height\n';
    workspace.writeKnown('a.py', text);
    const edit = (old: string, fresh = 'x') =>
      use(editFile, workspace, { path: 'a.py', old_text: old, new_text: fresh });
    const indented = await edit('def area(width, height):\n  return width * height');
    expect(indented.content).toContain('Only white space differs, from line 3');
    expect(indented.content).toContain('    return width * height');
    const similar = await edit('def area(width, depth):');
    expect(similar.content).toContain('The closest lines, from line 3:\ndef area(width, height):');
    expect((await edit('class Nothing:\n    alike')).content).toContain('Read it with read_file');
    expect((await edit('gone', 'import os')).content).toContain('made already');
    expect((await edit('same', 'same')).content).toContain('the same');
    expect((await edit('')).content).toContain('old_text is empty');
    expect(workspace.read('a.py')).toBe(text);
  });

  it('may edit a file never looked at, and one that changed since only where its text stands once', async () => {
    const workspace = makeWorkspace();
    workspace.write('fresh.txt', 'a b');
    const args = { old_text: 'a', new_text: 'c' };
    expect(await use(editFile, workspace, { path: 'fresh.txt', ...args })).toMatchObject({
      status: 'ok',
    });
    workspace.writeKnown('known.txt', 'a b');
    workspace.write('known.txt', 'more\na b, and b b');
    const known = { path: 'known.txt' };
    expect(await use(editFile, workspace, { ...known, ...args, old_text: 'a b' })).toMatchObject({
      status: 'ok',
    });
    expect(workspace.read('known.txt')).toBe('more\nc, and b b');
    for (const edit of [
      { old_text: 'b', new_text: 'x' },
      { old_text: 'b', new_text: 'x', replace_all: true },
      { old_text: 'gone', new_text: 'x' },
      {
        edits: [
          { old_text: 'more', new_text: 'x' },
          { old_text: 'b', new_text: 'x' },
        ],
      },
    ])
      expect(await use(editFile, workspace, { ...known, ...edit })).toMatchObject({
        status: 'conflict',
        content: expect.stringContaining('changed since it was last read'),
      });
    expect(workspace.read('known.txt')).toBe('more\nc, and b b');
  });

  it('suggests near names for a missing file and refuses binary ones', async () => {
    const workspace = makeWorkspace();
    workspace.write('src/main.py', 'x');
    workspace.write('b.bin', Buffer.from([1, 0, 2]));
    const args = { old_text: 'x', new_text: 'y' };
    const missing = await use(editFile, workspace, { path: 'main.py', ...args });
    expect(missing.content).toContain('Did you mean src/main.py?');
    const binary = await use(editFile, workspace, { path: 'b.bin', ...args });
    expect(binary.content).toContain('binary');
  });
});

it('replacing a text by another and back restores every byte, whatever the line endings', () => {
  const line = fc.tuple(fc.constantFrom('a', 'bb', '', 'c d'), fc.constantFrom('\n', '\r\n'));
  const text = fc.array(line, { minLength: 1, maxLength: 8 }).map((parts) => parts.flat().join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const marked = `${before}MARK${after}`;
      const there = runSync(replacing(marked, 'MARK', 'one\ntwo', once));
      if (there.kind !== 'replaced') throw new Error(there.kind);
      expect(there.text.startsWith(before) && there.text.endsWith(after)).toBe(true);
      const back = runSync(replacing(there.text, 'one\ntwo', 'MARK', once));
      expect(back).toEqual({ kind: 'replaced', text: marked, count: 1 });
    }),
  );
});
