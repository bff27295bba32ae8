import { expect, it } from 'vitest';
import { usersFilesOf } from '../../../src/run/tools/users-files.ts';
import { caseless } from '../../support/caseless.ts';
import { FOLDER, KeptRun, memoryFolder, put } from '../../support/kept-run.ts';

it('the last file with a content is asked about, also under the name in another case that it once had', async () => {
  const run = new KeptRun(caseless(memoryFolder()));
  const { fs } = run;
  put(fs, 'a.txt', 'mine');
  await run.write('a.txt', 'other');
  await run.write('a.txt', 'mine');
  await run.command(() => fs.rename('/w/a.txt', '/w/A.txt'));
  const isUsers = usersFilesOf({ context: run, workspace: FOLDER } as never, fs);
  expect(isUsers('remove', 'A.txt')).toBe(true);
  await run.command(() => put(fs, 'copy.txt', 'mine'));
  expect(isUsers('remove', 'A.txt')).toBe(false);
});
