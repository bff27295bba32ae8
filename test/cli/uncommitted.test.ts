import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uncommittedIn } from '../../src/cli/uncommitted.ts';
import { realMachine } from '../support/real-run.ts';

let folder = '';
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'uncommitted-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ask = (...paths: string[]) => {
  const files = paths.map((path) => ({ path, before: readFileSync(join(folder, path)) }));
  return uncommittedIn(realMachine().processes(folder, []), folder, files, Date.now());
};

test('what was in no commit is named, and nothing that git holds or converts', async () => {
  const put = (path: string, text: string) => writeFileSync(join(folder, path), text);
  put('new.txt', 'mine\n');
  expect(await ask('new.txt'), 'no repository').toEqual([]);
  git('init', '-q');
  expect(await ask('new.txt'), 'no commit').toEqual([]);
  for (const path of ['same.txt', 'windows.txt', 'edited.txt', 'large.bin'])
    put(path, 'as it was\n');
  put('.gitattributes', '*.bin filter=lfs\n');
  git('add', 'same.txt', 'windows.txt', 'edited.txt', 'large.bin', '.gitattributes');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  put('windows.txt', 'as it was\r\n');
  put('edited.txt', 'work of an hour\n');
  put('large.bin', 'what a pointer stands for');
  const all = ['same.txt', 'windows.txt', 'edited.txt', 'large.bin', 'new.txt'];
  expect(await ask(...all)).toEqual(['edited.txt', 'new.txt']);

  const before = [
    { path: 'same.txt', before: Buffer.from('as it was\n') },
    { path: 'edited.txt', before: Buffer.from('work of an hour\n') },
  ];
  put('same.txt', 'by the run\n');
  put('edited.txt', 'by the run\n');
  git('add', 'same.txt', 'edited.txt');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'of the run');
  const programs = realMachine().processes(folder, []);
  expect(
    await uncommittedIn(programs, folder, before, Date.now()),
    'the run itself committed',
  ).toEqual(['edited.txt']);
});
