import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { quickFolder } from './quick-folder.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quick-')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.runIf(process.platform === 'linux')(
  'tests work in memory where programs start there, and nothing is left of the look',
  () => {
    expect(quickFolder(folder, '')).toBe(folder);
    expect(readdirSync(folder)).toEqual([]);
  },
);

it('a folder that somebody named stays, and so does the usual one where there is no other', () => {
  expect(quickFolder(folder, tmpdir())).toBe(tmpdir());
  expect(existsSync(folder)).toBe(false);
  expect(quickFolder(folder, '')).toBe(tmpdir());
});
