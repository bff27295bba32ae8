import { expect, test } from 'vitest';
import { logError } from '../../src/host/journals/journal.ts';
import { layoutOf, prepareLayout } from '../../src/journal/layout.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

test('an error that is kept in the log leaves no file open', () => {
  const world = testWorld();
  const machine = world.machine();
  prepareLayout(machine.fs, layoutOf(WORKSPACE));
  const open = new Set<number>();
  const fs: FileSystem = {
    ...delegating(machine.fs),
    open: (path, flags, mode) => {
      const fd = machine.fs.open(path, flags, mode);
      open.add(fd);
      return fd;
    },
    close: (fd) => {
      open.delete(fd);
      machine.fs.close(fd);
    },
  };
  expect(logError({ ...machine, fs }, WORKSPACE, new Error('inside out'))).not.toBeNull();
  expect(world.read('.agent_context/agent.log')).toContain('inside out');
  expect(open.size).toBe(0);
});

test('an error that cannot be kept, since the state of the folder contains a link, is lost alone', () => {
  const world = testWorld();
  const machine = world.machine();
  prepareLayout(machine.fs, layoutOf(WORKSPACE));
  const fs: FileSystem = {
    ...delegating(machine.fs),
    lstat: (path) => ({ ...machine.fs.lstat(path), kind: 'symlink' }),
  };
  expect(logError({ ...machine, fs }, WORKSPACE, new Error('inside out'))).toBeNull();
});
