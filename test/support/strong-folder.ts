/** What an oracle looks at in the folder that a run or a loop left. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STRONG } from './strong-recordings.ts';

/** @param said all that the person is told at the end. @returns what is wrong */
export type StrongOracle = (folder: string, said: string) => Promise<readonly string[]>;

interface Ran {
  readonly code: number | null;
  readonly out: string;
}

export function ran(folder: string, program: string, args: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  return { code: status, out: `${stdout}${stderr}` };
}

export const node = (folder: string, ...args: readonly string[]): Ran =>
  ran(folder, process.execPath, args);

export const textAt = (folder: string, path: string): string =>
  existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : '';

/** Sentences whose claim does not hold. */
export const faults = (claims: { readonly [sentence: string]: boolean }): readonly string[] =>
  Object.entries(claims).flatMap(([sentence, holds]) => (holds ? [] : [sentence]));

export const isAsGiven = (name: string, folder: string, paths: readonly string[]): boolean =>
  paths.every((path) => textAt(folder, path) === textAt(join(STRONG, name), path));

export const filesBelow = (folder: string, path: string): readonly string[] =>
  existsSync(join(folder, path))
    ? readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    : [];

export const givenFiles = (name: string, path: string): readonly string[] =>
  filesBelow(join(STRONG, name), path);

/** With files of our own beside those that are there. */
export async function inCopy<Value>(
  folder: string,
  files: { readonly [path: string]: string },
  work: (copy: string) => Value | Promise<Value>,
): Promise<Value> {
  const copy = mkdtempSync(join(tmpdir(), 'tardigrade-oracle-'));
  try {
    cpSync(folder, copy, { recursive: true });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(copy, path), text);
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
