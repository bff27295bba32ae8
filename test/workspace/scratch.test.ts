import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeFileSystem } from '../../src/lib/file-system.ts';
import { type CopyLimits, copyWorkspace, sweepFolder } from '../../src/workspace/scratch.ts';

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
    breathe: () => Promise<void> | null = () => null,
    signal = new AbortController().signal,
  ) =>
    copyWorkspace(
      {
        ...{ fs: nodeFileSystem, workspace: root, folder, isLeftOut, breathe, signal },
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

describe('the scratch copy', () => {
  it('has the files of the workspace, and nothing that is left out', async () => {
    const world = place({ 'a.txt': 'a', 'src/b.txt': 'b', 'deps/c.txt': 'c', 'server.log': 'd' });
    expect(await world.copy()).toMatchObject({ kind: 'copied' });
    expect(world.copied()).toEqual(['a.txt', 'server.log', 'src/b.txt']);
    expect(world.read('src/b.txt')).toBe('b');
  });

  it('is left off between two files when the run is interrupted', async () => {
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`f${n}.txt`, 'text']));
    const world = place(files);
    const interrupt = new AbortController();
    let breaths = 0;
    const breathe = async () => {
      breaths += 1;
      if (breaths === 4) interrupt.abort();
    };
    const copied = await world.copy({}, undefined, () => false, breathe, interrupt.signal);
    expect(copied).toEqual({ kind: 'not_possible', why: 'the run was interrupted' });
    expect(world.copied()).toHaveLength(3);
    expect(await world.copy()).toMatchObject({ kind: 'copied' });
    expect(world.copied()).toHaveLength(9);
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
    sweepFolder(nodeFileSystem, world.folder);
    expect(fs.existsSync(world.folder)).toBe(false);
    fs.symlinkSync(path.join(world.root, 'kept'), world.folder);
    await world.copy();
    expect(fs.readFileSync(path.join(world.root, 'kept/b.txt'), 'utf8')).toBe('b');
    expect(fs.lstatSync(world.folder).isDirectory()).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('keeps a program that may be run', async () => {
    const world = place({ 'run.sh': '#!/bin/sh\n' });
    fs.chmodSync(path.join(world.root, 'run.sh'), 0o755);
    await world.copy();
    expect(fs.statSync(path.join(world.folder, 'run.sh')).mode & 0o111).toBe(0o111);
  });
});
