import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCache } from '../../src/languages/languages.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { nearNames, nearPaths } from '../../src/workspace/near-names.ts';
import { type WalkEntry, walk, walkNames } from '../../src/workspace/walk.ts';
import { makeWorkspace } from '../tools/support.ts';

describe('a walk through the workspace', () => {
  it('does not follow links', () => {
    const workspace = makeWorkspace();
    fs.symlinkSync('.', path.join(workspace.root, 'circle'));
    expect([...walk(nodeFileSystem, workspace.root, isCache)].map((entry) => entry.path)).toEqual([
      'circle',
    ]);
  });

  it('for names alone finds the same in the same order, and looks at links by themselves only', () => {
    const workspace = makeWorkspace();
    for (const name of ['b/2.txt', 'b/1.txt', 'a.txt', 'B.txt', 'out.log', 'node_modules/x.js'])
      workspace.write(name, '');
    fs.symlinkSync('a.txt', path.join(workspace.root, 'link'));
    const looked: string[] = [];
    const lstat = (at: string) => {
      looked.push(path.basename(at));
      return nodeFileSystem.lstat(at);
    };
    const told = ({ path: at, info: { kind } }: WalkEntry) => `${at} ${kind}`;
    const all = [...walk(nodeFileSystem, workspace.root, isCache)].map(told);
    const names = [...walkNames({ ...nodeFileSystem, lstat }, workspace.root, isCache)];
    expect(names.map(told)).toEqual(all);
    expect(all).toHaveLength(6);
    expect(looked).toEqual(['link']);
    const isLeftOut = ({ path: at }: WalkEntry) => at === 'b';
    expect([...walkNames(nodeFileSystem, workspace.root, isCache, isLeftOut)].map(told)).toEqual(
      all.filter((one) => !one.startsWith('b')),
    );
  });
});

describe('near names', () => {
  it('are the closest ones, and none when nothing is close', () => {
    expect(nearNames('mian.py', ['main.py', 'zzz.py', 'min.py'])).toEqual(['min.py', 'main.py']);
    expect(nearNames('x', ['yyyy'])).toEqual([]);
  });

  it('find the same file name in another folder first', () => {
    const workspace = makeWorkspace();
    workspace.write('deep/down/Main.py', '');
    workspace.write('mail.py', '');
    expect(nearPaths(nodeFileSystem, workspace.root, 'main.py', isCache)).toEqual([
      'deep/down/Main.py',
      'mail.py',
    ]);
  });
});
