import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { join } from '../../../src/lib/files/absolute-paths.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { delegating } from '../../../src/lib/files/hiding-file-system.ts';
import { MemoryFileSystem } from '../../../src/lib/files/memory-file-system.ts';
import { sha256 } from '../../../src/lib/sha256.ts';
import { contents, FOLDER, KeptRun, memoryFolder, put, remove } from '../../support/kept-run.ts';
import { makeWorkspace } from '../../tools/support.ts';

const MB = 1024 * 1024;

/** Counts how often a file of the folder is opened for reading. */
function counting(inner: FileSystem): { readonly fs: FileSystem; readonly read: string[] } {
  const read: string[] = [];
  const open: FileSystem['open'] = (path, flags, mode) => {
    if (flags === 'r' && !path.includes('.agent_context') && inner.stat(path).kind === 'file')
      read.push(path.slice(FOLDER.length + 1));
    return inner.open(path, flags, mode);
  };
  return { fs: { ...delegating(inner), open }, read };
}

describe('what is kept before a command', () => {
  it('is durable before the record that names it, and that before the intent', async () => {
    const synced: string[] = [];
    const inner = memoryFolder();
    const rename: FileSystem['rename'] = (from, to) => {
      inner.rename(from, to);
      synced.push(to.includes('/blobs/') ? 'blob' : 'other');
    };
    const run = new KeptRun({ ...delegating(inner), rename });
    put(run.fs, 'a.txt', 'given');
    synced.length = 0;
    let atStart: readonly string[] = [];
    let blobsAtStart = 0;
    await run.command(() => {
      atStart = run.records.map(({ type }) => type);
      blobsAtStart = synced.filter((kind) => kind === 'blob').length;
      put(run.fs, 'a.txt', 'command');
    });
    expect(atStart).toEqual(['run_opened', 'files_kept', 'action_intended']);
    // The pack and the list of what is in it.
    expect(blobsAtStart).toBe(2);
    expect(run.records.map(({ type }) => type).slice(3)).toEqual([
      'files_changed',
      'action_finished',
    ]);
  });

  it('is read once in a run, and not at all where a former run has kept the same', async () => {
    const { fs: disk, read } = counting(memoryFolder());
    put(disk, 'a.txt', 'a');
    put(disk, 'deep/b.txt', 'b');
    const first = new KeptRun(disk);
    await first.command(() => {});
    await first.command(() => put(disk, 'a.txt', 'by a command'));
    await first.command(() => {});
    // Once to keep both, once for what the command made of one.
    expect(read.sort()).toEqual(['a.txt', 'a.txt', 'deep/b.txt']);
    read.length = 0;
    const next = new KeptRun(disk);
    await next.command(() => put(disk, 'deep/b.txt', 'by a command'));
    expect(read.sort()).toEqual(['a.txt', 'deep/b.txt']);
    expect(next.undo().restored).toEqual(['deep/b.txt']);
    expect(contents(disk)['deep/b.txt']).toContain(Buffer.from('b').toString('hex'));
  });

  it('is kept anew where the blobs of a former run are gone', async () => {
    const disk = memoryFolder();
    put(disk, 'a.txt', 'a');
    const first = new KeptRun(disk);
    await first.command(() => {});
    for (const blob of disk.readdir(`${FOLDER}/.agent_context/blobs`))
      disk.unlink(`${FOLDER}/.agent_context/blobs/${blob}`);
    const next = new KeptRun(disk);
    await next.command(() => remove(disk, 'a.txt'));
    expect(next.undo().restored).toEqual(['a.txt']);
  });

  it('is kept anew where the list of it is damaged, and the rest is still undone', async () => {
    const run = new KeptRun();
    put(run.fs, 'a.txt', 'given');
    put(run.fs, 'b.txt', 'given too');
    await run.write('b.txt', 'by a tool\n');
    await run.command(() => {});
    const [kept] = run.of('files_kept');
    put(run.fs, `.agent_context/blobs/${kept?.manifest}`, 'rotten');
    run.restart();
    await run.command(() => put(run.fs, 'a.txt', 'command'));
    expect(run.of('files_kept')).toHaveLength(2);
    expect(run.undo()).toMatchObject({ restored: ['a.txt', 'b.txt'], leftAlone: [] });
  });

  it('is not kept without end where somebody else keeps writing a file', async () => {
    const limits = { fileBytes: 1000, totalBytes: 2000, names: 100 };
    const run = new KeptRun(memoryFolder(), { limits });
    for (let n = 0; n < 20; n += 1) {
      put(run.fs, 'server.log', `${n}`.padEnd(900));
      await run.command(() => {});
    }
    // Twice the total, and the files that stay as they are stay kept.
    expect(run.of('files_kept')).toHaveLength(4);
  });

  it('goes on after a restart with what the run has kept', async () => {
    const run = new KeptRun();
    put(run.fs, 'a.txt', 'given');
    await run.command(() => put(run.fs, 'a.txt', 'command'));
    run.restart();
    await run.command(() => put(run.fs, 'a.txt', 'command again'));
    expect(run.of('files_kept')).toHaveLength(1);
    expect(run.undo().restored).toEqual(['a.txt']);
  });

  it('is neither git nor caches, dependencies, our own folder, or what the run itself wrote', async () => {
    const run = new KeptRun();
    const nobodys = ['.git/index', 'node_modules/m.js', '__pycache__/a.pyc', 'venv/lib/b.py'];
    const paths = [...nobodys, 'a.txt', 'x.log'];
    for (const path of paths) put(run.fs, path, 'x');
    await run.write('own.py', 'x = 1\n');
    await run.command(() => {
      for (const path of paths) put(run.fs, path, 'changed');
    });
    expect(run.of('files_kept')).toMatchObject([{ files: 2 }]);
    expect(run.of('files_changed')[0]?.files.map(({ path }) => path)).toEqual(['a.txt', 'x.log']);
  });

  it('lies below the folder that git ignores, readable for its owner alone', async () => {
    const workspace = makeWorkspace();
    workspace.write('.env', 'TOKEN=secret');
    const run = new KeptRun(nodeFileSystem, { workspace: workspace.root });
    await run.command(() => workspace.write('.env', ''));
    const state = join(workspace.root, '.agent_context');
    expect(fs.readFileSync(join(state, '.gitignore'), 'utf8')).toBe('*\n');
    const blobs = fs.readdirSync(join(state, 'blobs')).map((name) => join(state, 'blobs', name));
    expect(blobs.some((blob) => fs.readFileSync(blob, 'utf8').includes('secret'))).toBe(true);
    if (process.platform !== 'win32')
      for (const blob of blobs) expect(fs.statSync(blob).mode & 0o077).toBe(0);
    expect(JSON.stringify(run.records)).not.toContain('secret');
    run.undo();
    expect(workspace.read('.env')).toBe('TOKEN=secret');
  });
});

describe('a full disk', () => {
  it('stops the run before the command begins', async () => {
    const run = new KeptRun();
    put(run.fs, 'a.txt', 'given');
    const write = run.fs.write.bind(run.fs);
    run.fs.write = () => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    };
    await expect(run.command(() => {})).rejects.toMatchObject({ code: 'E_DISK_FULL' });
    expect(run.of('action_intended')).toEqual([]);
    run.fs.write = write;
    await run.command(() => remove(run.fs, 'a.txt'));
    expect(run.undo().restored).toEqual(['a.txt']);
  });
});

describe('what is not kept', () => {
  it('is said once, with the reasons, and named by the undo', async () => {
    const run = new KeptRun();
    put(run.fs, 'film.bin', new Uint8Array(MB + 1));
    put(run.fs, 'odd:name.txt', 'x');
    put(run.fs, 'a.txt', 'given');
    await run.command(() => {
      put(run.fs, 'film.bin', 'cut');
      put(run.fs, 'a.txt', 'changed');
    });
    await run.command(() => remove(run.fs, 'odd:name.txt'));
    expect(run.of('files_kept')[0]?.left).toEqual({
      count: 2,
      why: { large: 1, name: 1 },
      names: ['film.bin', 'odd:name.txt'],
    });
    expect(run.notices).toHaveLength(1);
    expect(run.notices[0]).toContain('1 larger than 1 MB');
    const report = run.undo();
    expect(report.restored).toEqual(['a.txt']);
    expect(report.byCommands?.uncovered).toEqual([
      { path: 'film.bin', became: 'changed' },
      { path: 'odd:name.txt', became: 'removed' },
    ]);
  });

  it.skipIf(process.platform !== 'linux')('has a name that is not UTF-8, too', async () => {
    const { root } = makeWorkspace();
    fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), 'mine');
    const run = new KeptRun(nodeFileSystem, { workspace: root });
    await run.command(() => {});
    expect(run.of('files_kept')[0]?.left).toEqual({
      ...{ count: 1, why: { name: 1 }, names: ['caf\ufffd'] },
    });
  });

  it('is what is largest, where there is too much', async () => {
    const limits = { fileBytes: 1000, totalBytes: 50_000, names: 1000 };
    const run = new KeptRun(memoryFolder(), { limits });
    for (let n = 0; n < 60; n += 1) put(run.fs, `big/${n}.bin`, new Uint8Array(1000).fill(n));
    for (let n = 0; n < 20; n += 1) put(run.fs, `zz/${n}.txt`, `small ${n}`);
    await run.command(() => {
      for (let n = 0; n < 20; n += 1) remove(run.fs, `zz/${n}.txt`);
    });
    const [kept] = run.of('files_kept');
    expect(kept?.bytes).toBeLessThanOrEqual(50_000);
    expect(kept?.left).toMatchObject({ count: 11, why: { full: 11 } });
    expect(run.undo().restored).toHaveLength(20);
  });

  it('is never taken for new: a folder that was too large to look into is left alone', async () => {
    const run = new KeptRun();
    put(run.fs, 'many/old.txt', 'mine');
    const inner = run.fs.readdir.bind(run.fs);
    const names = Array.from({ length: 20_000 }, (_, n) => `none ${n}`);
    run.fs.readdir = (path) => (path === '/w/many' ? [...inner(path), ...names] : inner(path));
    await run.command(() => {
      run.fs.readdir = inner;
      put(run.fs, 'many/old.txt', 'changed');
    });
    expect(run.of('files_kept')[0]?.left).toMatchObject({ why: { too_many: 1 } });
    expect(run.notices[0]).toContain('1 folder with too many files');
    expect(run.of('files_changed')).toEqual([]);
    expect(run.undo().removed).toEqual([]);
    expect(Object.keys(contents(run.fs))).toEqual(['many/old.txt']);
  });

  it('is a name that the system does not let anybody look at', async () => {
    const run = new KeptRun();
    put(run.fs, 'old/a.txt', 'mine');
    const inner = run.fs.lstat.bind(run.fs);
    run.fs.lstat = (path) => {
      if (path.endsWith('/old')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
      return inner(path);
    };
    await run.command(() => {});
    expect(run.of('files_kept')[0]?.left).toMatchObject({
      ...{ why: { unreadable: 1 }, names: ['old'] },
    });
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'is what cannot be read',
    async () => {
      const workspace = makeWorkspace();
      workspace.write('closed.txt', 'x');
      fs.chmodSync(join(workspace.root, 'closed.txt'), 0);
      const run = new KeptRun(nodeFileSystem, { workspace: workspace.root });
      await run.command(() => {});
      expect(run.of('files_kept')[0]?.left).toMatchObject({ why: { unreadable: 1 } });
    },
  );
});

describe('a look after a command', () => {
  it('sees no change where the same was written again, and none in caches', async () => {
    const run = new KeptRun();
    put(run.fs, 'a.txt', 'given');
    await run.command(() => {
      put(run.fs, 'a.txt', 'given');
      put(run.fs, '__pycache__/a.pyc', 'x');
    });
    await run.command(() => put(run.fs, 'run.log', 'x'));
    await run.command(() => put(run.fs, 'a.txt', 'other'));
    const finished = run.of('action_finished').map(({ facts }) => facts.changed);
    expect(finished).toEqual([false, false, true]);
  });

  it('has one word for what is there, the same whenever the same is there again', async () => {
    const run = new KeptRun();
    put(run.fs, 'a.txt', 'given');
    for (const text of ['one', 'two', 'one']) await run.command(() => put(run.fs, 'a.txt', text));
    run.restart();
    await run.command(() => put(run.fs, 'a.txt', 'two'));
    const words = run.of('action_finished').map(({ facts }) => facts.workspace);
    expect(words).toEqual([words[0], words[1], words[0], words[1]]);
    expect(words[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(words[1]).not.toBe(words[0]);
  });

  it('sees a change of the same size on a disk that tells times in steps, and no inodes', async () => {
    let now = 1_700_000_000_000;
    const inner = new MemoryFileSystem({ now: () => now });
    inner.mkdir(FOLDER);
    const lstat: FileSystem['lstat'] = (path) => {
      const { changedMs: _none, ...info } = inner.lstat(path);
      return { ...info, mtimeMs: Math.floor(info.mtimeMs / 2_000) * 2_000 };
    };
    const run = new KeptRun({ ...delegating(inner), lstat, stat: lstat }, { now: () => now });
    put(run.fs, 'a.txt', 'one');
    now += 500;
    await run.command(() => put(run.fs, 'a.txt', 'two'));
    now += 500;
    await run.command(() => put(run.fs, 'a.txt', 'six'));
    now += 60_000;
    await run.command(() => {});
    await run.command(() => put(run.fs, 'a.txt', 'ten'));
    expect(run.of('files_changed').map(({ files }) => files[0]?.after)).toEqual(
      ['two', 'six', 'ten'].map(sha256),
    );
    expect(run.undo().restored).toEqual(['a.txt']);
    expect(contents(run.fs)['a.txt']).toContain(Buffer.from('one').toString('hex'));
  });

  it.skipIf(process.platform === 'win32')('follows no link, and names it', async () => {
    const workspace = makeWorkspace();
    const outside = makeWorkspace();
    outside.write('far.txt', 'far');
    workspace.write('a.txt', 'given');
    fs.symlinkSync(join(outside.root, 'far.txt'), join(workspace.root, 'link.txt'));
    fs.symlinkSync(outside.root, join(workspace.root, 'folder'));
    const run = new KeptRun(nodeFileSystem, { workspace: workspace.root });
    await run.command(() => {
      fs.unlinkSync(join(workspace.root, 'link.txt'));
      outside.write('new.txt', 'new');
      fs.unlinkSync(join(workspace.root, 'a.txt'));
      fs.symlinkSync(join(outside.root, 'far.txt'), join(workspace.root, 'a.txt'));
    });
    expect(run.of('files_kept')).toMatchObject([{ files: 1 }]);
    const report = run.undo();
    expect(report.byCommands?.uncovered).toEqual([{ path: 'link.txt', became: 'removed' }]);
    expect(report.leftAlone).toEqual([
      { path: 'a.txt', why: 'its folder leads somewhere else now' },
    ]);
    expect(outside.read('far.txt')).toBe('far');
    expect(outside.read('new.txt')).toBe('new');
  });

  it('is left out for a command in a copy of the workspace', async () => {
    const run = new KeptRun();
    put(run.fs, 'a.txt', 'given');
    await run.check(() => {}, { isScratch: true });
    expect(run.of('files_kept')).toEqual([]);
    await run.check(() => {});
    expect(run.of('files_kept')).toHaveLength(1);
  });

  it('puts what is too much for a line of the journal in a blob, and undoes that too', async () => {
    const run = new KeptRun();
    for (let n = 0; n < 230; n += 1) put(run.fs, `src/${n}.txt`, `given ${n}`);
    const before = contents(run.fs);
    await run.command(() => {
      for (let n = 0; n < 230; n += 1) put(run.fs, `src/${n}.txt`, `formatted ${n}`);
    });
    expect(run.of('files_changed')[0]).toMatchObject({ more: { count: 30 } });
    expect(run.of('files_changed')[0]?.files).toHaveLength(200);
    expect(run.undo().restored).toHaveLength(230);
    expect(contents(run.fs)).toEqual(before);
  });
});
