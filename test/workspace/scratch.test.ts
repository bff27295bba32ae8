import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FileSystem, nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { runSync, withPauses } from '../../src/lib/interruptible.ts';
import type { CopyLimits } from '../../src/workspace/copy-limits.ts';
import { copyWorkspace } from '../../src/workspace/scratch.ts';
import { sweepFolder } from '../../src/workspace/sweep-folder.ts';

function place(files: { readonly [path: string]: string }) {
  const root = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), 'tardigrade-copy-')));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  const write = (name: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  write('.agent_context/history.jsonl', '{}\n');
  const folder = path.join(root, '.agent_context', 'scratch');
  const copy = (
    changes: { readonly [path: string]: string | null } = {},
    limits?: CopyLimits,
    isLeftOut = (_: string, name: string) => ['.agent_context', 'deps'].includes(name),
    more: { readonly hasLinks?: true; readonly hasInstalled?: true } = {},
    breathe: () => Promise<void> | null = () => null,
    signal = new AbortController().signal,
  ) =>
    copyWorkspace(
      {
        ...{ fs: nodeFileSystem, workspace: root, folder, isLeftOut, ...more },
        isBuildCache: (name) => ['target', 'linked', 'plain'].includes(name),
        packageLinks: (namesIn) => namesIn('deps').map((name) => `deps/${name}`),
        runInterruptibly: (work) => withPauses(work, breathe, signal),
        changes: new Map(
          Object.entries(changes).map(([name, text]) => [
            name,
            text === null ? null : Buffer.from(text),
          ]),
        ),
      },
      limits,
    );
  return {
    root,
    folder,
    write,
    copy,
    copied: () =>
      fs
        .readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => name.replaceAll('\\', '/'))
        .filter((name) => fs.statSync(path.join(folder, name)).isFile())
        .sort(),
    read: (name: string) => fs.readFileSync(path.join(folder, name), 'utf8'),
  };
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('the scratch copy', () => {
  it('has files that differ as newer ones than all others, though the clock of the disk stands still', async () => {
    const { root, folder } = place({ 'a.c': 'a', built: 'of a', 'zebra.c': 'z' });
    const opened = new Map<number, string>();
    const still: FileSystem = {
      ...nodeFileSystem,
      open(file, flags, mode) {
        const fd = nodeFileSystem.open(file, flags, mode);
        if (flags === 'wx') opened.set(fd, file);
        return fd;
      },
      close(fd) {
        nodeFileSystem.close(fd);
        const file = opened.get(fd);
        if (file !== undefined) fs.utimesSync(file, 1_000, 1_000);
        opened.delete(fd);
      },
    };
    await copyWorkspace({
      ...{ fs: still, workspace: root, folder, packageLinks: () => [] },
      isLeftOut: (_, name) => name === '.agent_context',
      runInterruptibly: (work) => withPauses(work, () => null, new AbortController().signal),
      changes: new Map(['a.c', 'made.c'].map((name) => [name, latin('b')])),
    });
    const modified = (name: string): number => fs.statSync(path.join(folder, name)).mtimeMs;
    expect(modified('built')).toBe(1_000_000);
    for (const name of ['a.c', 'made.c']) expect(modified(name)).toBeGreaterThan(1_000_000);
  });

  it('has the files of the workspace, and nothing that is left out', async () => {
    const world = place({ 'a.txt': 'a', 'src/b.txt': 'b', 'deps/c.txt': 'c', 'server.log': 'd' });
    expect(await world.copy()).toMatchObject({ kind: 'copied' });
    expect(world.copied()).toEqual(['a.txt', 'server.log', 'src/b.txt']);
    expect(world.read('src/b.txt')).toBe('b');
  });

  /** Aborts in the pause of that number, counted over all the work that it is for. */
  function abortingIn(pause: number) {
    const interrupt = new AbortController();
    let pauses = 0;
    const breathe = async () => {
      pauses += 1;
      if (pauses === pause) interrupt.abort();
    };
    return { breathe, signal: interrupt.signal, pauses: () => pauses };
  }

  it('is left off in whichever pause the run is interrupted, and is made whole the next time', async () => {
    const files = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`d/f${n}.txt`, 'text']));
    const world = place({ ...files, 'a.txt': 'a' });
    const left: number[] = [];
    for (let pause = 1; ; pause += 1) {
      runSync(sweepFolder(nodeFileSystem, world.folder));
      const { breathe, signal } = abortingIn(pause);
      const copied = await world.copy({}, undefined, undefined, {}, breathe, signal);
      if (copied.kind === 'copied') break;
      expect(copied).toEqual({ kind: 'not_possible', why: 'the run was interrupted' });
      left.push(fs.existsSync(world.folder) ? world.copied().length : 0);
    }
    // While the workspace is looked over, and between two files.
    expect(new Set(left)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(left.filter((count) => count === 0).length).toBeGreaterThan(5);
    expect(world.copied()).toHaveLength(6);
  });

  it('is swept with pauses between its files, and in part where the run is interrupted', async () => {
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`f${n}.txt`, 'text']));
    const world = place(files);
    await world.copy();
    const { breathe, signal, pauses } = abortingIn(4);
    const swept = withPauses(sweepFolder(nodeFileSystem, world.folder), breathe, signal);
    await expect(swept).rejects.toMatchObject({ code: 'E_INTERRUPTED' });
    expect(pauses()).toBe(4);
    expect(world.copied()).toHaveLength(7);
    runSync(sweepFolder(nodeFileSystem, world.folder));
    expect(fs.existsSync(world.folder)).toBe(false);
  });

  it('is made anew each time, with the changes that were asked for and no others', async () => {
    const world = place({ 'a.txt': 'a', 'b.txt': 'b' });
    await world.copy();
    fs.writeFileSync(path.join(world.folder, 'left.txt'), 'by a command');
    fs.writeFileSync(path.join(world.folder, 'b.txt'), 'by a command');
    await world.copy({ 'a.txt': null, 'new/c.txt': 'c' });
    expect(world.copied()).toEqual(['b.txt', 'new/c.txt']);
    expect(world.read('b.txt')).toBe('b');
    expect(fs.readFileSync(path.join(world.root, 'a.txt'), 'utf8')).toBe('a');
  });

  it.skipIf(process.platform === 'win32')(
    'leaves a changed program one that can be started',
    async () => {
      const world = place({ 'run.sh': '#!/bin/sh\n', 'a.txt': 'a' });
      fs.chmodSync(path.join(world.root, 'run.sh'), 0o755);
      await world.copy({ 'run.sh': '#!/bin/sh\nexit 1\n', 'a.txt': 'b' });
      const modeOf = (name: string) => fs.statSync(path.join(world.folder, name)).mode & 0o111;
      expect([modeOf('run.sh'), modeOf('a.txt')]).toEqual([0o111, 0]);
    },
  );
  it('keeps what a build has tagged as its cache for the next copy, and nothing else', async () => {
    const world = place({ 'a.txt': 'a' });
    const left = (name: string, text: string): void => {
      fs.mkdirSync(path.dirname(path.join(world.folder, name)), { recursive: true });
      fs.writeFileSync(path.join(world.folder, name), text);
    };
    const tag = 'Signature: 8a477f597d28d172789f06886806bc55\n';
    await world.copy();
    left('target/CACHEDIR.TAG', tag);
    left('target/built.o', 'o');
    left('plain/built.o', 'o');
    left('other/CACHEDIR.TAG', tag);
    left('a.txt', 'spoilt');
    if (process.platform !== 'win32') fs.symlinkSync('target', path.join(world.folder, 'linked'));
    await world.copy();
    expect(world.copied()).toEqual(['a.txt', 'target/CACHEDIR.TAG', 'target/built.o']);
    expect(world.read('a.txt')).toBe('a');
  });
  it('has one word for what is in the workspace, whatever is changed in the copy', async () => {
    const world = place({ 'a.txt': 'a', 'b.txt': 'b' });
    const first = await world.copy();
    expect(await world.copy({ 'a.txt': null })).toEqual(first);
    world.write('a.txt', 'other');
    expect(await world.copy()).not.toEqual(first);
  });

  it('is not made of more files or bytes than it may hold', async () => {
    const world = place({ 'a.txt': 'a', 'b.txt': 'b' });
    expect(await world.copy({}, { files: 1, bytes: 1024 })).toMatchObject({ kind: 'not_possible' });
    expect(await world.copy({}, { files: 9, bytes: 1 })).toMatchObject({ kind: 'not_possible' });
    expect(fs.existsSync(world.folder)).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('holds no link, and sweeping follows none', async () => {
    const world = place({ 'a.txt': 'a', 'kept/b.txt': 'b' });
    fs.symlinkSync(path.join(world.root, 'kept'), path.join(world.root, 'link'));
    await world.copy();
    expect(world.copied()).toEqual(['a.txt', 'kept/b.txt']);
    fs.symlinkSync(path.join(world.root, 'kept'), path.join(world.folder, 'link'));
    runSync(sweepFolder(nodeFileSystem, world.folder));
    expect(fs.existsSync(world.folder)).toBe(false);
    fs.symlinkSync(path.join(world.root, 'kept'), world.folder);
    await world.copy();
    expect(fs.readFileSync(path.join(world.root, 'kept/b.txt'), 'utf8')).toBe('b');
    expect(fs.lstatSync(world.folder).isDirectory()).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('is swept of folders that nothing may write to', () => {
    const { folder, write } = place({});
    write('.agent_context/scratch/locked/deep/a.txt', 'a');
    for (const name of ['locked/deep', 'locked']) fs.chmodSync(path.join(folder, name), 0o555);
    // The tests may run as root, whom no mode stops.
    const inLocked = (at: string): void => {
      if ((fs.statSync(path.dirname(at)).mode & 0o200) === 0)
        throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    };
    const asUser: FileSystem = {
      ...nodeFileSystem,
      unlink: (at) => {
        inLocked(at);
        nodeFileSystem.unlink(at);
      },
      rmdir: (at) => {
        inLocked(at);
        nodeFileSystem.rmdir(at);
      },
    };
    runSync(sweepFolder(asUser, folder));
    expect(fs.existsSync(folder)).toBe(false);
  });

  it.skipIf(process.platform !== 'linux')(
    'is swept of names that are not UTF-8, and of folders that nothing may read',
    async () => {
      const world = place({ 'a.txt': 'a', 'kept/b.txt': 'b' });
      await world.copy();
      const odd = (text: string) => Buffer.concat([Buffer.from(`${world.folder}/`), latin(text)]);
      fs.mkdirSync(odd('\xff'));
      fs.writeFileSync(odd('\xff/\xfe.txt'), '');
      fs.symlinkSync(path.join(world.root, 'kept'), odd('\xff/link'));
      fs.mkdirSync(odd('closed'));
      fs.writeFileSync(odd('closed/c.txt'), '');
      fs.chmodSync(odd('closed'), 0);
      // The tests may run as root, whom no mode stops.
      const asUser: FileSystem = {
        ...nodeFileSystem,
        readdir: (at) => {
          if ((fs.statSync(at).mode & 0o400) === 0)
            throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
          return nodeFileSystem.readdir(at);
        },
        open: (at, flags, mode) => {
          if (at.endsWith('closed')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
          return nodeFileSystem.open(at, flags, mode);
        },
      };
      runSync(sweepFolder(asUser, world.folder));
      expect(fs.existsSync(world.folder)).toBe(false);
      expect(fs.readFileSync(path.join(world.root, 'kept/b.txt'), 'utf8')).toBe('b');
      expect(await world.copy()).toMatchObject({ kind: 'copied' });
    },
  );

  it('has its own links to packages of the workspace, and none that lead elsewhere', async () => {
    const world = place({ 'packages/a/a.js': 'old', 'deps/far/b.js': 'b' });
    const elsewhere = place({ 'c.js': 'c' });
    const deps = path.join(world.root, 'deps');
    fs.symlinkSync(path.join(world.root, 'packages/a'), path.join(deps, 'a'), 'junction');
    fs.symlinkSync(path.join(deps, 'far'), path.join(deps, 'near'), 'junction');
    fs.symlinkSync(elsewhere.root, path.join(deps, 'else'), 'junction');
    fs.symlinkSync(world.root, path.join(deps, 'whole'), 'junction');
    expect(await world.copy({ 'packages/a/a.js': 'new' })).toMatchObject({ kind: 'copied' });
    expect(fs.readdirSync(path.join(world.folder, 'deps'))).toEqual(['a']);
    expect(world.read('deps/a/a.js')).toBe('new');
    runSync(sweepFolder(nodeFileSystem, world.folder));
    expect(fs.existsSync(world.folder)).toBe(false);
    expect(fs.readFileSync(path.join(world.root, 'packages/a/a.js'), 'utf8')).toBe('old');
  });

  it('has links to what is installed on request, each by itself, and what removes it there removes a link', async () => {
    const world = place({ 'packages/a/a.js': 'old', 'deps/far/b.js': 'b', 'deps/mine/m.js': 'm' });
    const elsewhere = place({ 'c.js': 'c' });
    const deps = path.join(world.root, 'deps');
    fs.symlinkSync(path.join(world.root, 'packages/a'), path.join(deps, 'a'), 'junction');
    fs.symlinkSync(elsewhere.root, path.join(deps, 'else'), 'junction');
    fs.symlinkSync(world.root, path.join(deps, 'whole'), 'junction');
    const plain = await world.copy();
    const linked = await world.copy(
      { 'packages/a/a.js': 'new', 'deps/mine/m.js': 'of a trial' },
      undefined,
      undefined,
      { hasInstalled: true },
    );
    expect(linked).not.toEqual(plain);
    const copied = path.join(world.folder, 'deps');
    expect(fs.readdirSync(copied)).toEqual(['a', 'else', 'far', 'mine']);
    const found = ['a/a.js', 'else/c.js', 'far/b.js', 'mine/m.js'].map((name) =>
      world.read(`deps/${name}`),
    );
    expect(found).toEqual(['new', 'c', 'b', 'of a trial']);
    fs.writeFileSync(path.join(copied, '.cache'), 'of a trial');
    fs.rmSync(path.join(copied, 'far'), { recursive: true });
    runSync(sweepFolder(nodeFileSystem, world.folder));
    expect(fs.readdirSync(deps)).toEqual(['a', 'else', 'far', 'mine', 'whole']);
    const kept = ['far/b.js', 'mine/m.js', 'else/c.js'].map((name) =>
      fs.readFileSync(path.join(deps, name), 'utf8'),
    );
    expect(kept).toEqual(['b', 'm', 'c']);
  });

  it.skipIf(process.platform === 'win32')(
    'has its own links to what was copied, and none that lead elsewhere',
    async () => {
      const world = place({ 'bin/tool': 'old', 'lib/a/b.txt': 'b', 'deps/c.txt': 'c' });
      const elsewhere = place({ 'd.txt': 'd' });
      const link = (target: string, at: string): void =>
        fs.symlinkSync(target, path.join(world.root, at));
      link('./tool', 'bin/same');
      link('same', 'bin/chain');
      link('../lib/a', 'bin/folder');
      link('..', 'bin/whole');
      link('nothing', 'bin/broken');
      link('../deps/c.txt', 'bin/left-out');
      link(path.join(elsewhere.root, 'd.txt'), 'bin/else');
      link('tool', 'bin/replaced');
      await world.copy({ 'bin/tool': 'new', 'bin/replaced': 'a file' }, undefined, undefined, {
        hasLinks: true,
      });
      const names = ['chain', 'folder', 'replaced', 'same', 'tool'];
      expect(fs.readdirSync(path.join(world.folder, 'bin')).sort()).toEqual(names);
      expect(world.read('bin/chain')).toBe('new');
      expect(world.read('bin/folder/b.txt')).toBe('b');
      expect(world.read('bin/replaced')).toBe('a file');
      fs.writeFileSync(path.join(world.folder, 'bin/same'), 'of a trial');
      expect(fs.readFileSync(path.join(world.root, 'bin/tool'), 'utf8')).toBe('old');
      runSync(sweepFolder(nodeFileSystem, world.folder));
      expect(fs.readFileSync(path.join(world.root, 'bin/chain'), 'utf8')).toBe('old');
    },
  );

  it.skipIf(process.platform === 'win32')('keeps a program that may be run', async () => {
    const world = place({ 'run.sh': '#!/bin/sh\n' });
    fs.chmodSync(path.join(world.root, 'run.sh'), 0o755);
    await world.copy();
    expect(fs.statSync(path.join(world.folder, 'run.sh')).mode & 0o111).toBe(0o111);
  });
});
