import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/lib/sha256.ts';
import { deleteFile } from '../../src/tools/builtin/delete-file.ts';
import { moveFile } from '../../src/tools/builtin/move-file.ts';
import { makeWorkspace, use } from './support.ts';

const isPosix = process.platform !== 'win32';

function project() {
  const workspace = makeWorkspace();
  workspace.write('a.txt', 'one');
  workspace.write('src/b.txt', 'two');
  fs.mkdirSync(path.join(workspace.root, 'empty'));
  return workspace;
}

describe('delete_file', () => {
  it('removes a file that nobody has to have read, and keeps what it held', async () => {
    const workspace = project();
    expect(await use(deleteFile, workspace, { path: 'a.txt' })).toEqual({
      status: 'ok',
      content: 'Deleted a.txt',
      facts: { changed: true },
      hashes: { 'a.txt': null },
    });
    expect(workspace.exists('a.txt')).toBe(false);
    expect(workspace.blobs.get(sha256('one'))).toEqual(Buffer.from('one'));
  });

  it('removes an empty folder, and never one with something in it', async () => {
    const workspace = project();
    const result = await use(deleteFile, workspace, { path: 'empty' });
    expect(result).toMatchObject({ status: 'ok', content: 'Deleted the empty folder empty' });
    expect(workspace.exists('empty')).toBe(false);
    const full = await use(deleteFile, workspace, { path: 'src' });
    expect(full).toMatchObject({
      status: 'error',
      content: expect.stringContaining('a folder with one entry'),
    });
    expect(workspace.exists('src/b.txt')).toBe(true);
  });

  it.each([
    ['nowhere.txt', 'There is no nowhere.txt'],
    ['../x', 'leads out of the workspace'],
    ['/etc/passwd', 'absolute paths'],
    ['.git/config', 'nothing in .git may be changed'],
    ['.', 'the workspace itself'],
    ['.agent_context', 'nothing in .agent_context'],
  ])('%j is refused', async (name, words) => {
    const result = await use(deleteFile, project(), { path: name });
    expect(result).toMatchObject({ status: 'error', content: expect.stringContaining(words) });
  });

  it('does not take away what somebody changed since it was read', async () => {
    const workspace = project();
    workspace.known.set('a.txt', sha256('zero'));
    expect(await use(deleteFile, workspace, { path: 'a.txt' })).toMatchObject({
      status: 'conflict',
    });
    expect(workspace.exists('a.txt')).toBe(true);
  });

  it.runIf(isPosix)('leaves links alone, and what they lead to', async () => {
    const workspace = project();
    fs.symlinkSync('a.txt', path.join(workspace.root, 'link'));
    fs.symlinkSync('/nowhere', path.join(workspace.root, 'dangling'));
    for (const name of ['link', 'dangling'])
      expect(await use(deleteFile, workspace, { path: name })).toMatchObject({
        status: 'error',
        content: expect.stringContaining('is a link'),
      });
    expect(workspace.exists('a.txt')).toBe(true);
  });
});

describe('move_file', () => {
  it('moves a file with its mode, and makes the folders it needs', async () => {
    const workspace = project();
    fs.chmodSync(path.join(workspace.root, 'a.txt'), 0o750);
    expect(await use(moveFile, workspace, { path: 'a.txt', to: 'x/y/z.txt' })).toEqual({
      status: 'ok',
      content: 'Moved a.txt to x/y/z.txt',
      facts: { changed: true },
      hashes: { 'x/y/z.txt': sha256('one'), 'a.txt': null },
    });
    expect([workspace.exists('a.txt'), workspace.read('x/y/z.txt')]).toEqual([false, 'one']);
    if (isPosix)
      expect(fs.statSync(path.join(workspace.root, 'x/y/z.txt')).mode & 0o777).toBe(0o750);
  });

  it.runIf(process.platform === 'linux')('changes only the case of a name', async () => {
    const workspace = project();
    await use(moveFile, workspace, { path: 'a.txt', to: 'A.txt' });
    expect(fs.readdirSync(workspace.root).sort()).toEqual(['A.txt', 'empty', 'src']);
  });

  it.each([
    [{ path: 'a.txt', to: 'src/b.txt' }, 'src/b.txt exists already'],
    [{ path: 'a.txt', to: 'src' }, 'src is a folder; name the new path'],
    [{ path: 'a.txt', to: 'a.txt' }, 'where it is already'],
    [{ path: 'a.txt', to: '../b.txt' }, 'leads out of the workspace'],
    [{ path: 'a.txt', to: '.git/hooks/pre-commit' }, 'nothing in .git may be changed'],
    [{ path: '../a.txt', to: 'c.txt' }, 'leads out of the workspace'],
    [{ path: '.git/config', to: 'c.txt' }, 'nothing in .git may be changed'],
    [{ path: 'a.txt', to: 'src/b.txt/c' }, 'src/b.txt is a file, not a folder'],
    [{ path: 'empty', to: 'empty/in' }, 'lies in what is to be moved'],
    [{ path: 'src', to: 'lib' }, 'a folder with one entry'],
    [{ path: 'nowhere', to: 'c.txt' }, 'There is no nowhere'],
  ])('%j is refused: %s', async (args, words) => {
    const workspace = project();
    const result = await use(moveFile, workspace, args);
    expect(result).toMatchObject({ status: 'error', content: expect.stringContaining(words) });
    expect([workspace.read('a.txt'), workspace.read('src/b.txt')]).toEqual(['one', 'two']);
  });

  it('sees what came to its place between the look and the move', async () => {
    const workspace = project();
    const prepared = await moveFile.prepare({ path: 'a.txt', to: 'c.txt' }, workspace.context);
    workspace.write('c.txt', 'theirs');
    const result = prepared.kind === 'ready' && (await prepared.perform({} as never));
    expect(result).toMatchObject({ status: 'conflict' });
    expect([workspace.read('a.txt'), workspace.read('c.txt')]).toEqual(['one', 'theirs']);
  });
});
