import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCache } from '../../src/languages/languages.ts';
import { nodeFileSystem } from '../../src/lib/file-system.ts';
import { nearNames, nearPaths } from '../../src/workspace/near-names.ts';
import { walk } from '../../src/workspace/walk.ts';
import { makeWorkspace } from '../tools/support.ts';

describe('a walk through the workspace', () => {
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
