import { beforeEach, expect, it } from 'vitest';
import { replaceFile } from '../../../src/lib/files/durable-files.ts';
import type { FileSystem } from '../../../src/lib/files/file-system.ts';
import { hidingFiles } from '../../../src/lib/files/hiding-file-system.ts';
import { createMemoryFileSystem } from '../../../src/lib/files/memory-file-system.ts';

let fs: FileSystem;
beforeEach(() => {
  fs = createMemoryFileSystem({ platform: 'linux' });
  fs.mkdir('/ws');
  fs.mkdir('/ws/sub');
  for (const path of ['/ws/turns.json', '/ws/a.txt', '/ws/sub/turns.json'])
    replaceFile(fs, path, Buffer.from('x'));
});

it('a hidden file is not listed, one of the same name elsewhere is', () => {
  const hiding = hidingFiles(fs, ['/ws/turns.json', '/ws/not-there-yet.json']);
  expect(hiding.readdir('/ws').sort()).toEqual(['a.txt', 'sub']);
  expect(hiding.readdir('/ws/sub')).toEqual(['turns.json']);
  expect(hiding.stat('/ws/turns.json').size).toBe(1);
});

it('with nothing to hide it is the same object', () => {
  expect(hidingFiles(fs, [])).toBe(fs);
});
