import { expect, test } from 'vitest';
import { acquireLock } from '../../../src/journal/lock/lock.ts';
import { delegating } from '../../../src/lib/files/hiding-file-system.ts';
import { fileSystemError } from '../../../src/lib/files/memory-file-system.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

test('a lock that cannot be read when its token is taken is a clear error of the disk', () => {
  const { fs, identity, clock } = testWorld().machine();
  const directory = `${WORKSPACE}/lock`;
  fs.mkdir(directory);
  let isBroken = false;
  const breaking = {
    ...delegating(fs),
    readdir: (path: string) => {
      if (isBroken) throw fileSystemError('EIO', 'readdir', path);
      return fs.readdir(path);
    },
  };
  const lock = acquireLock({ fs: breaking, directory, identity, clock }, { force: false });
  isBroken = true;
  expect(() => lock.takeToken(1)).toThrow(expect.objectContaining({ code: 'E_IO' }));
});
