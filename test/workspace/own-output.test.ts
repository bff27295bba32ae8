import { mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nodeFileSystem as fs } from '../../src/lib/files/file-system.ts';
import { hidingFiles } from '../../src/lib/files/hiding-file-system.ts';
import { ownOutputFiles } from '../../src/workspace/own-output.ts';

test('what this process prints to is found by its identity, and is no part of the workspace', () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'own-output-')));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  for (const name of ['a.txt', 'run.log', 'run.txt']) writeFileSync(join(workspace, name), 'x');
  const printing = ['run.txt', 'run.log'].flatMap((name) => {
    const fd = openSync(join(workspace, name), 'a');
    onTestFinished(() => fs.close(fd));
    return fs.identify?.(fd) ?? [];
  });
  const found = ownOutputFiles(fs, workspace, () => false, printing);
  expect(found).toEqual([join(workspace, 'run.log'), join(workspace, 'run.txt')]);
  expect(hidingFiles(fs, found).readdir(workspace)).toEqual(['a.txt']);
});

test('where files have no numbers, none is taken for it, and nothing is walked', () => {
  const unnumbered = { device: 7n, inode: 0n };
  const never = new Proxy(fs, {
    get: () => {
      throw new Error('it was looked at');
    },
  });
  for (const known of [[], [unnumbered]])
    expect(ownOutputFiles(never, '/ws', () => false, known)).toEqual([]);
});
