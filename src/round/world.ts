/**
 * The workspace as the engine itself looks at it: through the jail, and throwing only where the
 * machine has run out of handles or memory, for then nothing that is seen is so.
 */
import { isCache } from '../languages/languages.ts';
import { isExhausted, storageError } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import { readBytes } from '../workspace/files.ts';
import { resolveInWorkspace } from '../workspace/jail.ts';
import { walk } from '../workspace/walk.ts';

export interface World {
  readText(path: string): string | null;
  exists(path: string): boolean;
  /** In bytes; `null` where there is no such file. */
  size(path: string): number | null;
  /** Names of at most `count` files, sorted. */
  files(count: number): readonly string[];
  /** True for a file whose text may not be shown without a yes. */
  isHeld?(path: string): boolean;
}

/** The same for what goes into a prompt: the text of a file that is held back is not there. */
export const shownWorld = (world: World, mayShow: (path: string) => boolean): World => ({
  ...world,
  readText: (path) => (mayShow(path) ? world.readText(path) : null),
  isHeld: (path) => !mayShow(path),
});

const MAX_TEXT_BYTES = 1024 * 1024;

export function worldOf(fs: FileSystem, workspace: string): World {
  const resolve = (path: string) =>
    resolveInWorkspace(fs, workspace, path, { platform: fs.platform, forWrite: false });
  return {
    readText: (path) =>
      quietly(() => {
        const found = resolve(path);
        if (found.kind !== 'inside' || fs.stat(found.absolute).size > MAX_TEXT_BYTES) return null;
        return readBytes(fs, found.absolute, MAX_TEXT_BYTES)?.toString('utf8') ?? null;
      }, null),
    size: (path) =>
      quietly(() => {
        const found = resolve(path);
        const info = found.kind === 'inside' ? fs.stat(found.absolute) : null;
        return info?.kind === 'file' ? info.size : null;
      }, null),
    exists: (path) =>
      quietly(() => {
        const found = resolve(path);
        return found.kind === 'inside' && found.isThere;
      }, false),
    files: (count) => quietly(() => firstFiles(fs, workspace, count), []),
  };
}

function firstFiles(fs: FileSystem, workspace: string, count: number): readonly string[] {
  const names: string[] = [];
  for (const entry of walk(fs, workspace, isCache)) {
    if (entry.info.kind === 'file') names.push(entry.path);
    if (names.length >= count) break;
  }
  return names.sort((one, other) => (one < other ? -1 : 1));
}

function quietly<Value>(look: () => Value, otherwise: Value): Value {
  try {
    return look();
  } catch (error) {
    if (isExhausted(error)) throw storageError(error, 'looking at the workspace');
    return otherwise;
  }
}
