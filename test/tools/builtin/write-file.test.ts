import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { sha256 } from '../../../src/lib/sha256.ts';
import { writeFile } from '../../../src/tools/builtin/write-file.ts';
import { makeWorkspace, use } from '../support.ts';

const fail = (code: string) => (): never => {
  throw Object.assign(new Error(code), { code });
};

/** Windows keeps no more of a mode than whether a file may be written. */
const kept = (mode: number): number => (process.platform === 'win32' ? 0o666 : mode);

describe('write_file', () => {
  it('writes a new file, makes its folders and says how much it wrote', async () => {
    const workspace = makeWorkspace();
    const result = await use(writeFile, workspace, {
      path: './src\\deep/hello_world.py',
      content: 'print("Hello, World!")',
    });
    expect(result).toEqual({
      status: 'ok',
      content: 'Wrote 22 chars to src/deep/hello_world.py',
      facts: { changed: true },
      hashes: { 'src/deep/hello_world.py': sha256('print("Hello, World!")') },
    });
    expect(workspace.read('src/deep/hello_world.py')).toBe('print("Hello, World!")');
  });

  it('plans before it writes: hashes, mode, folders, and the before-image kept', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('old.sh', 'old');
    fs.chmodSync(path.join(workspace.root, 'old.sh'), 0o750);
    const args = { path: 'old.sh', content: 'new', create_dirs: true };
    const replacing = await writeFile.prepare(args, workspace.context);
    expect(replacing).toMatchObject({
      files: [{ path: 'old.sh', before: sha256('old'), after: sha256('new'), mode: kept(0o750) }],
    });
    expect([...workspace.blobs.keys()]).toEqual([sha256('old')]);
    expect(workspace.read('old.sh')).toBe('old');
    const creating = await writeFile.prepare({ ...args, path: 'a/b/c' }, workspace.context);
    expect(creating).toMatchObject({
      files: [{ path: 'a/b/c', before: null, after: sha256('new'), createdDirs: ['a', 'a/b'] }],
    });
    expect(workspace.exists('a')).toBe(false);
  });

  it('keeps the before-image also where the content stays the same', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'same');
    await use(writeFile, workspace, { path: 'a.txt', content: 'same' });
    expect([...workspace.blobs.keys()]).toEqual([sha256('same')]);
  });

  it('keeps mode and byte order mark of what it replaces', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('run.sh', '\ufeffold');
    fs.chmodSync(path.join(workspace.root, 'run.sh'), 0o751);
    await use(writeFile, workspace, { path: 'run.sh', content: 'new' });
    expect(workspace.read('run.sh')).toBe('\ufeffnew');
    expect(fs.statSync(path.join(workspace.root, 'run.sh')).mode & 0o777).toBe(kept(0o751));
    const utf16 = Buffer.from('\ufeffold', 'utf16le');
    workspace.writeKnown('wide.txt', utf16);
    await use(writeFile, workspace, { path: 'wide.txt', content: 'neü' });
    expect(workspace.bytes('wide.txt')).toEqual(Buffer.from('\ufeffneü', 'utf16le'));
  });

  it.each([
    ['Windows', 'one\r\ntwo\r\n', 'eins\r\nzwei\r\ndrei\r\n'],
    ['Windows in most lines', 'one\r\ntwo\r\nthree\n', 'eins\r\nzwei\r\ndrei\r\n'],
    ['Windows behind a byte order mark', '\ufeffone\r\n', '\ufeffeins\r\nzwei\r\ndrei\r\n'],
    ['Unix', 'one\ntwo\r\nthree\n', 'eins\nzwei\ndrei\n'],
  ])('keeps the line ends of a file with those of %s', async (_, before, after) => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', before);
    await use(writeFile, workspace, { path: 'a.txt', content: 'eins\nzwei\ndrei\n' });
    expect(workspace.read('a.txt')).toBe(after);
  });

  it('says that the line ends stay, and takes those that are sent', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'one\r\n');
    const kept = await use(writeFile, workspace, { path: 'a.txt', content: 'eins\n' });
    expect(kept.content).toBe('Wrote 5 chars to a.txt. Its lines end in CR LF, as before.');
    workspace.writeKnown('a.txt', 'one\r\n');
    const sent = await use(writeFile, workspace, { path: 'a.txt', content: 'a\r\nb\n' });
    expect(sent.content).toBe('Wrote 5 chars to a.txt');
    expect(workspace.read('a.txt')).toBe('a\r\nb\n');
  });

  it('changes nothing where only the line ends are others', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'one\r\ntwo\r\n');
    const result = await use(writeFile, workspace, { path: 'a.txt', content: 'one\ntwo\n' });
    expect(result.facts).toEqual({ changed: false });
    expect(workspace.read('a.txt')).toBe('one\r\ntwo\r\n');
  });

  it('refuses a file that changed since it was last seen, or vanished, or appeared', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'mine');
    workspace.write('a.txt', 'somebody else');
    workspace.known.set('gone.txt', sha256('was there'));
    workspace.known.set('new.txt', null);
    workspace.write('new.txt', 'appeared');
    for (const file of ['a.txt', 'gone.txt', 'new.txt']) {
      const result = await use(writeFile, workspace, { path: file, content: 'x' });
      expect(result, file).toMatchObject({ status: 'conflict' });
      expect(result.content).toContain('Read it again with read_file');
      expect(result.hashes, 'a refusal is no reading').toBeUndefined();
    }
    expect(workspace.read('a.txt')).toBe('somebody else');
  });

  it('refuses a file nobody has read yet, unless nothing is lost by it', async () => {
    const workspace = makeWorkspace();
    workspace.write('unknown.txt', 'precious');
    workspace.write('empty.txt', '');
    const blind = await use(writeFile, workspace, { path: 'unknown.txt', content: 'x' });
    expect(blind).toMatchObject({ status: 'conflict' });
    expect(blind.content).toContain('Read it with read_file first');
    const same = await use(writeFile, workspace, { path: 'unknown.txt', content: 'precious' });
    expect(same).toMatchObject({ status: 'ok', facts: { changed: false } });
    expect(await use(writeFile, workspace, { path: 'empty.txt', content: 'x' })).toMatchObject({
      status: 'ok',
    });
  });

  it('sees a change that comes between its look and its write', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'one');
    const prepared = await writeFile.prepare(
      { path: 'a.txt', content: 'two', create_dirs: true },
      workspace.context,
    );
    workspace.write('a.txt', 'meanwhile');
    if (prepared.kind !== 'ready') throw new Error('it was refused');
    const signal = new AbortController().signal;
    const result = await prepared.perform({ signal, onSpawn: () => {}, onOutput: () => {} });
    expect(result.status).toBe('conflict');
    expect(workspace.read('a.txt')).toBe('meanwhile');
  });

  it('replaces a hard link instead of writing through it', async () => {
    const workspace = makeWorkspace();
    const outside = makeWorkspace();
    outside.write('shared', 'theirs');
    fs.linkSync(path.join(outside.root, 'shared'), path.join(workspace.root, 'linked'));
    workspace.known.set('linked', sha256('theirs'));
    await use(writeFile, workspace, { path: 'linked', content: 'mine' });
    expect(outside.read('shared')).toBe('theirs');
    expect(workspace.read('linked')).toBe('mine');
  });

  it('names the folder it may not make, and refuses a folder as file', async () => {
    const workspace = makeWorkspace();
    fs.mkdirSync(path.join(workspace.root, 'dir'));
    const noFolder = { path: 'a/b.txt', content: '', create_dirs: false };
    expect((await use(writeFile, workspace, noFolder)).content).toContain('no folder a');
    expect((await use(writeFile, workspace, { path: 'dir', content: '' })).content).toContain(
      'dir is a folder',
    );
  });

  it('leaves the old file whole when the disk is full, at whatever operation', async () => {
    for (const operation of ['write', 'fsync', 'rename', 'open'] as const) {
      let armed = false;
      const real = nodeFileSystem[operation] as (...args: unknown[]) => unknown;
      const isWriting = (flags: unknown): boolean => operation !== 'open' || flags !== 'r';
      const workspace = makeWorkspace({
        [operation]: (...args: unknown[]) => {
          if (armed && isWriting(args[1])) fail('ENOSPC')();
          return real(...args);
        },
      });
      workspace.writeKnown('a.txt', 'the old content');
      armed = true;
      await expect(
        use(writeFile, workspace, { path: 'a.txt', content: 'new' }),
        operation,
      ).rejects.toMatchObject({ code: 'E_DISK_FULL' });
      expect(workspace.read('a.txt')).toBe('the old content');
      expect(fs.readdirSync(workspace.root)).toEqual(['a.txt']);
    }
  });

  it('does not read a file that has grown since it was prepared', async () => {
    const opened: string[] = [];
    const open: typeof nodeFileSystem.open = (at, flags, mode) => {
      opened.push(at);
      return nodeFileSystem.open(at, flags, mode);
    };
    const workspace = makeWorkspace({ open });
    workspace.writeKnown('a.txt', 'old');
    const args = { path: 'a.txt', content: 'new', create_dirs: true };
    const prepared = await writeFile.prepare(args, workspace.context);
    workspace.write('a.txt', 'old, and more');
    opened.length = 0;
    const result = prepared.kind === 'ready' ? await prepared.perform({} as never) : null;
    expect(result).toMatchObject({ status: 'conflict' });
    expect(opened).toEqual([]);
  });

  it('takes a disk that fails for no change that somebody made', async () => {
    let isBroken = false;
    const open: typeof nodeFileSystem.open = (at, flags, mode) =>
      isBroken ? fail('EIO')() : nodeFileSystem.open(at, flags, mode);
    const workspace = makeWorkspace({ open });
    workspace.writeKnown('a.txt', 'old');
    const args = { path: 'a.txt', content: 'new', create_dirs: true };
    const prepared = await writeFile.prepare(args, workspace.context);
    isBroken = true;
    const perform = async () => prepared.kind === 'ready' && prepared.perform({} as never);
    await expect(perform()).rejects.toMatchObject({ code: 'EIO' });
  });

  it('writes everything when the disk takes only a few bytes at a time', async () => {
    const workspace = makeWorkspace({
      write: (fd, buffer, position) => nodeFileSystem.write(fd, buffer.subarray(0, 3), position),
    });
    await use(writeFile, workspace, { path: 'a.txt', content: 'a longer content' });
    expect(workspace.read('a.txt')).toBe('a longer content');
  });

  it('answers a place the system does not let it write with words, not with an exception', async () => {
    const workspace = makeWorkspace({ rename: fail('EACCES') });
    workspace.writeKnown('a.txt', 'old');
    const result = await use(writeFile, workspace, { path: 'a.txt', content: 'new' });
    expect(result).toMatchObject({ status: 'error', hashes: { 'a.txt': sha256('old') } });
    expect(result.content).toContain('does not permit');
  });

  it('lets a broken disk through, because the run cannot go on', async () => {
    const workspace = makeWorkspace({ fsync: fail('EIO') });
    await expect(
      use(writeFile, workspace, { path: 'a.txt', content: 'new' }),
    ).rejects.toMatchObject({ code: 'E_IO' });
  });

  it.each(['EIO', 'EMFILE'])(
    'leaves nothing beside a file that it could not write (%s)',
    async (code) => {
      const workspace = makeWorkspace({ rename: fail(code) });
      workspace.writeKnown('a.txt', 'old');
      const done = use(writeFile, workspace, { path: 'a.txt', content: 'new' });
      await expect(done).rejects.toMatchObject({
        code: 'E_IO',
        message: expect.stringContaining('a.txt'),
      });
      expect(fs.readdirSync(workspace.root)).toEqual(['a.txt']);
    },
  );

  it.skipIf(process.platform === 'win32')('makes no file that everybody may write', async () => {
    const workspace = makeWorkspace();
    fs.chmodSync(workspace.root, 0o777);
    await use(writeFile, workspace, { path: 'a.txt', content: 'x' });
    expect(fs.statSync(path.join(workspace.root, 'a.txt')).mode & 0o002).toBe(0);
  });

  it('says of a given file what an insisted content drops, in the same words after a crash', async () => {
    const withheld = sha256('b = 1\n');
    const given = () => ({ bytes: null, withheld, isInView: true, mayInsist: true });
    const workspace = makeWorkspace({}, { originalOf: given });
    workspace.writeKnown('a.py', 'a = 1\nb = 1\n');
    const args = { path: 'a.py', content: 'b = 1\n', create_dirs: true };
    const prepared = await writeFile.prepare(args, workspace.context);
    if (prepared.kind !== 'ready') throw new Error('it was refused');
    expect(prepared.files).toMatchObject([{ path: 'a.py', drops: 'a' }]);
    const signal = new AbortController().signal;
    const done = await prepared.perform({ signal, onSpawn: () => {}, onOutput: () => {} });
    expect(done.content).toBe('Wrote 6 chars to a.py\nAccepted, although it drops a.');
    expect(writeFile.done?.(args, prepared.files)).toEqual(done);
  });

  it('measures a given file by its oldest text that is kept, and what is no text not at all', async () => {
    const bytes = Buffer.from('a = 1\nb = 1\n');
    const given = () => ({ bytes, withheld: null, isInView: true, mayInsist: false });
    const workspace = makeWorkspace({}, { originalOf: given });
    workspace.writeKnown('a.py', 'b = 1\n');
    const refused = await use(writeFile, workspace, { path: 'a.py', content: 'b = 2\n' });
    expect(refused).toMatchObject({
      status: 'error',
      facts: { changed: false, withheld: sha256('b = 2\n') },
      hashes: { 'a.py': sha256('b = 1\n') },
    });
    expect(refused.content).toContain('drops a.');
    const there = () => ({ bytes: null, withheld: null, isInView: true, mayInsist: false });
    const other = makeWorkspace({}, { originalOf: there });
    other.writeKnown('image.py', Buffer.from([0, 1, 2, 10, 0]));
    expect(await use(writeFile, other, { path: 'image.py', content: 'a = 1\n' })).toMatchObject({
      status: 'ok',
    });
  });
});
