import { expect, test } from 'vitest';
import { holdsPrograms } from './quick-folder.ts';

test.each([
  ['tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0', true],
  ['shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0', false],
  ['tmpfs /dev/shm tmpfs ro,nosuid 0 0', false],
  ['/dev/vda /dev/shm ext4 rw 0 0', false],
  ['tmpfs /run tmpfs rw 0 0', false],
  ['', false],
])('folders of tests are in memory where programs may be started from it: %s', (line, is) => {
  expect(holdsPrograms(`proc /proc proc rw 0 0\n${line}\n`)).toBe(is);
});
