import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCache } from '../../src/languages/languages.ts';
import { nodeFileSystem } from '../../src/lib/file-system.ts';
import { nearNames, nearPaths } from '../../src/workspace/near-names.ts';
import { walk, workspaceFingerprint } from '../../src/workspace/walk.ts';
import { makeWorkspace } from '../tools/support.ts';

describe('the fingerprint of a workspace', () => {
  const look = (root: string) => workspaceFingerprint(nodeFileSystem, root, isCache);

  it('changes with content, new files and folders, and removed ones', () => {
    const workspace = makeWorkspace();
    workspace.write('a.py', 'x = 1');
    const seen = [look(workspace.root)];
    workspace.write('a.py', 'x = 2');
    seen.push(look(workspace.root));
    workspace.write('sub/b.py', '');
    seen.push(look(workspace.root));
    fs.rmSync(path.join(workspace.root, 'sub', 'b.py'));
    seen.push(look(workspace.root));
    expect(new Set(seen).size).toBe(4);
  });

  it('does not change with caches and logs, nor when the same is written again', () => {
    const workspace = makeWorkspace();
    workspace.write('a.py', 'x = 1');
    const before = look(workspace.root);
    for (const noise of ['__pycache__/a.pyc', '.pytest_cache/x', '.ruff_cache/x', 'run.log']) {
      workspace.write(noise, 'noise');
    }
    workspace.write('node_modules/m/index.js', 'noise');
    workspace.write('.git/index', 'noise');
    workspace.write('.agent_context/history.jsonl', 'noise');
    workspace.write('a.py', 'x = 1');
    fs.utimesSync(path.join(workspace.root, 'a.py'), 1, 1);
    expect(look(workspace.root)).toBe(before);
  });

  it('tells large files by size and time, and looks at no more than its limit', () => {
    const workspace = makeWorkspace();
    const limits = { entries: 2, contentBytes: 4, contentFiles: 10 };
    const bounded = () => workspaceFingerprint(nodeFileSystem, workspace.root, isCache, limits);
    workspace.write('a', 'large file');
    const before = bounded();
    fs.utimesSync(path.join(workspace.root, 'a'), 1, 1);
    const touched = bounded();
    expect(touched).not.toBe(before);
    workspace.write('b', 'x');
    const full = bounded();
    expect(full).not.toBe(touched);
    workspace.write('c', 'x');
    expect(bounded()).toBe(full);
  });

  it('does not follow links', () => {
    const workspace = makeWorkspace();
    fs.symlinkSync('.', path.join(workspace.root, 'circle'));
    expect([...walk(nodeFileSystem, workspace.root, isCache)].map((entry) => entry.path)).toEqual([
      'circle',
    ]);
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
