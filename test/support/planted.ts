/** A clone that brings programs of its own under every name, in every folder that could serve one. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NAMES =
  'git cat ls grep rg find head node npm npx pnpm yarn docker curl wget ssh python python3 pip pytest ruff mypy sh bash uv uvx make tsc env timeout cmd which diff cargo go gofmt bwrap'.split(
    ' ',
  );
export const PLANTED_FOLDERS = ['.venv/bin', 'venv/bin', 'node_modules/.bin'] as const;

/** Each writes its own name into a file that `ranIn` reads. */
export function plant(
  folder: string,
  folders: readonly string[] = PLANTED_FOLDERS,
  names: readonly string[] = NAMES,
): void {
  for (const place of folders)
    for (const name of names) plantProgram(join(folder, place, name), `${folder}.ran`);
  const text = (path: string, value: object): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(value));
  };
  // Whatever a dependency says of itself.
  const bin = Object.fromEntries(NAMES.map((name) => [name, 'run.js']));
  text('package.json', { dependencies: { helper: '1' }, scripts: { test: 'echo fine' } });
  text('node_modules/helper/package.json', { name: 'helper', version: '1.0.0', bin });
}

/** @param log where it writes its name, and all that it was given */
export function plantProgram(file: string, log: string, says = 'planted'): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `#!/bin/sh\necho "$0 $*" >> '${log}'\n/usr/bin/env >> '${log}.env'\necho ${says}\n`,
  );
  chmodSync(file, 0o755);
}

/** The names of the planted programs that were started. */
export const ranIn = (folder: string): readonly string[] =>
  existsSync(`${folder}.ran`)
    ? readFileSync(`${folder}.ran`, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.slice(folder.length + 1))
    : [];
