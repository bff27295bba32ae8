import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const LEFT_OUT = new Set([
  '.agent_context',
  '__pycache__',
  '.pytest_cache',
  '.ruff_cache',
  'node_modules',
]);

/** Files below a folder as `/`-paths, without caches and the agent's own folder. */
export function filesIn(folder: string, ending = ''): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.split('/').some((part) => LEFT_OUT.has(part)))
    .sort();
}

export function copyWorkspace(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
}

export const textOf = (folder: string, path: string): string =>
  readFileSync(join(folder, path), 'utf8');

export const isTestFile = (path: string): boolean =>
  /(^|\/)(test_[^/]*|[^/]*_test|conftest)\.py$/.test(path);

/** Python programs and modules, tests apart; the shortest path first. */
export const pythonSources = (folder: string): string[] =>
  filesIn(folder, '.py')
    .filter((path) => !isTestFile(path))
    .sort((one, other) => one.split('/').length - other.split('/').length);
