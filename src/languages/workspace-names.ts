import path from 'node:path';
import type { FileSystem } from '../lib/file-system.ts';
import { readBytes } from '../workspace/files.ts';
import { walk } from '../workspace/walk.ts';
import type { KnownNames } from './command-seen.ts';

/** What the files of the workspace define, by a quick look at the starts of their lines. */

const MAX_ENTRIES = 1000;
const MAX_READ_FILES = 100;
const MAX_FILE_BYTES = 64 * 1024;

const PYTHON = /^(?:async\s+def|def|class)\s+(\w+)|^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=(?!=)/gm;
const SCRIPT =
  /^(?:export\s+)?(?:default\s+)?(?:(?:async\s+)?function\*?|class|const|let|var)\s+([A-Za-z_$][\w$]*)/gm;

export function workspaceNames(fs: FileSystem, workspace: string): KnownNames {
  const files: string[] = [];
  const definitions: { name: string; file: string }[] = [];
  let seen = 0;
  let read = 0;
  for (const { path: file, info } of walk(fs, workspace)) {
    if (++seen > MAX_ENTRIES) break;
    if (info.kind !== 'file') continue;
    files.push(file);
    const pattern = /\.py$/.test(file) ? PYTHON : /\.[cm]?js$/.test(file) ? SCRIPT : null;
    if (pattern === null || info.size > MAX_FILE_BYTES || ++read > MAX_READ_FILES) continue;
    for (const name of definedIn(textOf(fs, path.join(workspace, file)), pattern)) {
      definitions.push({ name, file });
    }
  }
  return { definitions, files };
}

const definedIn = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '')),
];

function textOf(fs: FileSystem, absolute: string): string {
  try {
    return readBytes(fs, absolute).toString('utf8');
  } catch {
    return '';
  }
}
