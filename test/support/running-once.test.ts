import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { layoutOf } from '../../src/journal/layout.ts';
import type { Processes, ProcessRequest } from '../../src/processes/contract.ts';
import { runningOnce } from './running-once.ts';

let folders: string[];
let starts: number;
let effect: (folder: string) => void;
beforeEach(() => {
  folders = [];
  starts = 0;
  effect = () => {};
});
afterEach(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folderWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'running-once-'));
  folders.push(folder);
  mkdirSync(join(folder, 'lib'));
  writeFileSync(join(folder, 'lib', 'a.mjs'), text);
  return folder;
}

const plain: Processes['run'] = async ({ cwd }) => {
  starts += 1;
  effect(cwd);
  return {
    ...{ kind: 'exited', exitCode: 0, signal: null, truncatedBytes: 0, durationMs: 5 },
    output: `${cwd}: start ${starts}`,
  };
};

const asked = (cwd: string, more: Partial<ProcessRequest> = {}): ProcessRequest => ({
  ...{ file: process.execPath, args: ['lib/a.mjs'], cwd, env: { HERE: cwd } },
  ...{ timeoutMs: 1000, maxOutputBytes: 100, ...more },
});

async function said(folder: string, more: Partial<ProcessRequest> = {}): Promise<string> {
  const run = runningOnce(plain, folder);
  const { signal } = new AbortController();
  const { output } = await run(asked(folder, more), { signal, onOutput: () => {} });
  return output;
}

it('the same command on the same files is told again, in the words of its own folder', async () => {
  const [one, other] = [folderWith('1'), folderWith('1')];
  expect(await said(one)).toBe(`${one}: start 1`);
  expect(await said(other)).toBe(`${other}: start 1`);
});

it('another byte, argument, input or variable is another command', async () => {
  const folder = folderWith('2');
  await said(folder);
  await said(folder, { args: ['lib/a.mjs', '-v'] });
  await said(folder, { stdin: 'x' });
  await said(folder, { env: { HERE: folder, A: '1' } });
  await said(folderWith('3'));
  expect(starts).toBe(5);
});

it('a file in the copy of a folder is none in the folder', async () => {
  const copied = (folder: string): string => {
    const { scratch } = layoutOf(folder);
    mkdirSync(scratch, { recursive: true });
    return scratch;
  };
  const before = folderWith('7');
  cpSync(join(before, 'lib'), join(copied(before), 'lib'), { recursive: true });
  rmSync(join(before, 'lib'), { recursive: true });
  const after = folderWith('7');
  await said(before, { cwd: copied(before) });
  await said(after, { cwd: copied(after) });
  expect(starts).toBe(2);
});

it('one that changes a file, or ran longer than it may now, is run each time', async () => {
  effect = (folder) => writeFileSync(join(folder, `made ${starts}`), '');
  await said(folderWith('4'));
  await said(folderWith('4'));
  effect = () => {};
  await said(folderWith('5'));
  await said(folderWith('5'), { timeoutMs: 4 });
  expect(starts).toBe(4);
});

it('other programs are run each time', async () => {
  await said(folderWith('6'), { file: '/bin/sh' });
  await said(folderWith('6'), { file: '/bin/sh' });
  expect(starts).toBe(2);
});
