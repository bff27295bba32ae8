/** The workspace as the engine itself looks at it: through the jail, and never throwing. */
import type { FileSystem } from '../lib/file-system.ts';
import { readBytes } from '../workspace/files.ts';
import { resolveInWorkspace } from '../workspace/jail.ts';
import { walk } from '../workspace/walk.ts';

export interface World {
  readText(path: string): string | null;
  exists(path: string): boolean;
  /** Names of at most `count` files, sorted. */
  files(count: number): readonly string[];
}

const MAX_TEXT_BYTES = 1024 * 1024;

export function worldOf(fs: FileSystem, workspace: string): World {
  const inside = (path: string): string | null => {
    const resolved = resolveInWorkspace(fs, workspace, path, {
      platform: fs.platform,
      forWrite: false,
    });
    return resolved.kind === 'inside' ? resolved.absolute : null;
  };
  return {
    readText: (path) =>
      quietly(() => {
        const absolute = inside(path);
        if (absolute === null || fs.stat(absolute).size > MAX_TEXT_BYTES) return null;
        return readBytes(fs, absolute).toString('utf8');
      }, null),
    exists: (path) =>
      quietly(() => {
        const absolute = inside(path);
        return absolute !== null && Boolean(fs.stat(absolute));
      }, false),
    files: (count) => quietly(() => firstFiles(fs, workspace, count), []),
  };
}

function firstFiles(fs: FileSystem, workspace: string, count: number): readonly string[] {
  const names: string[] = [];
  for (const entry of walk(fs, workspace)) {
    if (entry.info.kind === 'file') names.push(entry.path);
    if (names.length >= count) break;
  }
  return names.sort((one, other) => (one < other ? -1 : 1));
}

function quietly<Value>(look: () => Value, otherwise: Value): Value {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
