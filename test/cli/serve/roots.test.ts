import { expect, test } from 'vitest';
import { checkWorkspace } from '../../../src/cli/command-line/invocation.ts';
import { OPTIONS } from '../../../src/options/table.ts';

test('a root that is not there is told as the option that named it', () => {
  const look = (): string => checkWorkspace('/no/such', '/', false, OPTIONS.roots);
  expect(look).toThrow(expect.objectContaining({ hint: 'Create it, or give another --root.' }));
});
