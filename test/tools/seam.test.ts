import { expect, test } from 'vitest';
import { fileSystemError } from '../../src/lib/files/memory-file-system.ts';
import { readFile } from '../../src/tools/builtin/read-file.ts';
import { seam } from '../../src/tools/seam.ts';

test.each([
  ['EBUSY', 'another program holds it open'],
  ['EPERM', 'the system does not permit it'],
  ['ELOOP', 'the system answered ELOOP'],
])('a tool that the system refuses with %s says: %s', async (code, words) => {
  const result = await seam(readFile, {}, () => Promise.reject(fileSystemError(code, 'open', 'a')));
  expect(result).toMatchObject({ status: 'error', content: `read_file failed: ${words}.` });
});
