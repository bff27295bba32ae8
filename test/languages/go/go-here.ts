import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = spawnSync('go', ['env', 'GOROOT'], { encoding: 'utf8' });
const folder = root.status === 0 ? join(root.stdout.trim(), 'bin') : '';
const ending = process.platform === 'win32' ? '.exe' : '';

const inFolder = (name: string): string | null => {
  const file = join(folder, name + ending);
  return folder !== '' && existsSync(file) ? file : null;
};

/** The go that answers, and the gofmt beside it; `null` where this machine has none. */
export const GO = inFolder('go');
export const GOFMT = inFolder('gofmt');

/** Behind the titles of tests that need it. */
export const skipped = GO === null || GOFMT === null ? ': skipped, no go answers here' : '';
