import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { sha256 } from '../../../src/lib/sha256.ts';
import { editFile } from '../../../src/tools/builtin/edit-file.ts';
import { writeFiles } from '../../../src/tools/builtin/write-files.ts';
import { makeWorkspace, use } from '../support.ts';

const LONG = Array.from({ length: 20 }, (_, line) => `def f${line}(): pass\n`).join('');

describe('write_files', () => {
  it('writes all of them, with the folders they need', async () => {
    const workspace = makeWorkspace();
    const files = [
      { path: 'a/x.txt', content: 'one' },
      { path: 'a/y.txt', content: 'two\u{1f600}' },
    ];
    expect(await use(writeFiles, workspace, { files })).toEqual({
      status: 'ok',
      content: 'Wrote 3 chars to a/x.txt\nWrote 4 chars to a/y.txt',
      facts: { changed: true },
      hashes: { 'a/x.txt': sha256('one'), 'a/y.txt': sha256('two\u{1f600}') },
    });
    expect(workspace.read('a/y.txt')).toBe('two\u{1f600}');
  });

  it.each([
    ['a path outside', '../x', 'leads out'],
    ['the same file again', 'a.txt', 'named twice'],
    ['a file below another', 'a.txt/b', 'cannot be below a file'],
    ['a file nobody has read', 'unread.txt', 'was not read yet'],
  ])('with %s writes none', async (_, name, words) => {
    const workspace = makeWorkspace();
    workspace.write('unread.txt', 'theirs');
    const files = [
      { path: 'a.txt', content: 'one' },
      { path: name, content: 'two' },
    ];
    const result = await use(writeFiles, workspace, { files });
    expect(result.status).not.toBe('ok');
    expect(result.content).toContain(words);
    expect([workspace.exists('a.txt'), workspace.read('unread.txt')]).toEqual([false, 'theirs']);
  });

  it('leaves nothing of its own where neither a change nor its return is possible', async () => {
    let renamed = 0;
    const rename: typeof nodeFileSystem.rename = (from, to) => {
      renamed += 1;
      if (renamed > 1) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
      nodeFileSystem.rename(from, to);
    };
    const workspace = makeWorkspace({ rename });
    const names = ['a.txt', 'b.txt'];
    for (const name of names) workspace.writeKnown(name, 'old');
    const files = names.map((path) => ({ path, content: 'new' }));
    const { content } = await use(writeFiles, workspace, { files });
    expect(content).toContain('could not be put back and are changed: a.txt');
    expect(readdirSync(workspace.root)).toEqual(names);
  });

  it('holds back every content that loses much, all at once, and takes them when they come again', async () => {
    let withheld: Readonly<Record<string, string>> = {};
    const workspace = makeWorkspace(
      {},
      {
        originalOf: (path) => ({
          ...{ bytes: null, isInView: true, mayInsist: true },
          withheld: withheld[path] ?? null,
        }),
      },
    );
    const names = ['a.py', 'b.py', 'c.py'];
    for (const name of names) workspace.writeKnown(name, LONG);
    const files = names.map((path) => ({ path, content: path === 'c.py' ? LONG : 'x = 1\n' }));
    const first = await use(writeFiles, workspace, { files });
    expect(first.content).toMatch(/^a\.py was left .*drops f0, .*\nb\.py was left .*drops f0/);
    expect(workspace.read('a.py')).toBe(LONG);
    withheld = first.facts?.withheldFiles ?? {};
    expect(Object.keys(withheld)).toEqual(['a.py', 'b.py']);
    const second = await use(writeFiles, workspace, { files });
    expect(second.status).toBe('ok');
    expect(second.content.match(/Accepted, although it drops f0/g)).toHaveLength(2);
    expect(workspace.read('b.py')).toBe('x = 1\n');
  });

  it('measures what comes in the place of a removed file by what was there', async () => {
    const given = { bytes: Buffer.from(LONG), withheld: null, isInView: true, mayInsist: true };
    const workspace = makeWorkspace({}, { originalOf: () => given });
    workspace.known.set('a.py', null);
    const files = [{ path: 'a.py', content: 'x = 1\n' }];
    expect(await use(writeFiles, workspace, { files })).toMatchObject({
      status: 'error',
      content: expect.stringContaining('drops f0'),
    });
    expect(workspace.exists('a.py')).toBe(false);
  });
});

describe('edit_file with several edits', () => {
  const edits = (...pairs: [string, string][]) =>
    pairs.map(([old_text, new_text]) => ({ old_text, new_text }));

  it('makes one behind the other, and all in one change', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'one\r\ntwo\r\n');
    const args = { path: 'a.txt', edits: edits(['one', 'eins'], ['eins\ntwo', '1\n2']) };
    const result = await use(editFile, workspace, args);
    expect(result).toMatchObject({ status: 'ok', content: 'Replaced 2 pieces of text in a.txt' });
    expect(workspace.read('a.txt')).toBe('1\r\n2\r\n');
  });

  it('makes none where one does not fit, and says which', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'one\ntwo\n');
    const args = { path: 'a.txt', edits: edits(['one', 'eins'], ['drei', '3']) };
    const result = await use(editFile, workspace, args);
    expect(result.content).toMatch(/^Edit 2 of 2: old_text is not in a\.txt[\s\S]*None of them/);
    expect(result.misfit).toBe('a.txt');
    expect(workspace.read('a.txt')).toBe('one\ntwo\n');
  });

  it.each([
    [{ path: 'a.txt' }, 'old_text is missing.'],
    [{ path: 'a.txt', old_text: 'one' }, 'new_text is missing.'],
    [{ path: 'a.txt', old_text: 'one', new_text: 'x', edits: edits(['two', 'y']) }, 'not both'],
  ])('%j is no edit: %s', async (args, words) => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'one\ntwo\n');
    const result = await use(editFile, workspace, args);
    expect(result).toMatchObject({ status: 'error', content: expect.stringContaining(words) });
  });

  it('understands what other agents call the texts of an edit', () => {
    const meant = editFile.correctArgs?.({ path: 'a', edits: [{ oldText: 'x', new_string: 'y' }] });
    expect(meant).toEqual({ path: 'a', edits: [{ old_text: 'x', new_text: 'y' }] });
  });
});
