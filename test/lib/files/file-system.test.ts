/** The real disk as a port. */
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';

function thrownBy(look: () => unknown): Error | null {
  try {
    look();
    return null;
  } catch (error) {
    return error as Error;
  }
}

test('a look at nothing says what Node says, without the cost of a stack', () => {
  const { stackTraceLimit } = Error;
  for (const name of ['lstat', 'stat'] as const) {
    const path = join(import.meta.dirname, 'nothing-here');
    const ours = thrownBy(() => nodeFileSystem[name](path));
    const { message, code, syscall } = thrownBy(() => fs[`${name}Sync`](path)) as never;
    expect(ours).toBeInstanceOf(Error);
    expect(ours).toMatchObject({ message, code, syscall, path });
    expect(ours?.stack).not.toContain('\n    at ');
  }
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
