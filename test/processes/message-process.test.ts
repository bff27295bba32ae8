import { expect, test } from 'vitest';
import { startMessageProcess } from '../../src/processes/message-process.ts';

test('a script whose folder is missing does not blame the program', async () => {
  const place = { nodeExecutable: process.execPath, script: 'x.js', cwd: '/no/such/folder' };
  const exit = await new Promise((onExit) => {
    startMessageProcess({ ...place, args: [], env: {} }, { onMessage: () => {}, onExit });
  });
  expect(exit).toEqual({
    ...{ exitCode: null, signal: null },
    detail: 'the folder /no/such/folder does not exist (ENOENT)',
  });
});
