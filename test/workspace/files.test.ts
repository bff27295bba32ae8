/** Files of the workspace as a whole. */
import { expect, it } from 'vitest';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import { hashIfReadable } from '../../src/workspace/files.ts';

it.each(['EIO', 'EACCES', 'EBUSY'])('a file whose reading ends in %s stops nobody', (code) => {
  expect(hashIfReadable(failingIn('read', code), '/a.txt')).toBe('unreadable');
  expect(hashIfReadable(failingIn('stat', code), '/a.txt')).toBe('unreadable');
});

it('a machine without handles says nothing of a file', () => {
  expect(() => hashIfReadable(failingIn('open', 'EMFILE'), '/a.txt')).toThrow('EMFILE');
  const fs = new MemoryFileSystem();
  fs.close(fs.open('/a.txt', 'w'));
  expect(hashIfReadable(fs, '/a.txt')).toBe(sha256(''));
  expect(hashIfReadable(fs, '/b.txt')).toBeNull();
});

function failingIn(operation: 'open' | 'read' | 'stat', code: string): MemoryFileSystem {
  const fs = new MemoryFileSystem();
  const fd = fs.open('/a.txt', 'w');
  fs.write(fd, Buffer.from('text'), 0);
  fs.close(fd);
  fs[operation] = () => {
    throw Object.assign(new Error(code), { code });
  };
  return fs;
}
