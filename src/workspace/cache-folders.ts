/**
 * Recognises folders of caches by the tag that their programs put there, as cargo does in `target`:
 * https://bford.info/cachedir.
 */
import { isInside, pathsOf } from '../lib/files/absolute-paths.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import { sha256 } from '../lib/sha256.ts';
import { readBytes } from './files.ts';

export const CACHE_TAG = 'CACHEDIR.TAG';
const SIGNATURE = 'Signature: 8a477f597d28d172789f06886806bc55';
const MAX_BYTES = 64 * 1024;

/** The hash of the tag in a folder; `null`: there is none. @param folder absolute */
export function cacheTag(fs: FileSystem, folder: string): string | null {
  const tag = pathsOf(fs.platform).join(folder, CACHE_TAG);
  const bytes = orNull(() =>
    fs.lstat(tag).kind === 'file' ? readBytes(fs, tag, MAX_BYTES) : null,
  );
  return bytes?.toString('utf8').startsWith(SIGNATURE) ? sha256(bytes) : null;
}

export const CMAKE_CACHE = 'CMakeCache.txt';
/** In large projects CMake's cache file may have several mebibytes. */
const MAX_CMAKE_BYTES = 8 * 1024 * 1024;

/** Where the sources lie of which CMake builds in a folder; `null`: it does not. @param folder absolute */
export function cmakeSources(fs: FileSystem, folder: string): string | null {
  const bytes = orNull(() =>
    readBytes(fs, pathsOf(fs.platform).join(folder, CMAKE_CACHE), MAX_CMAKE_BYTES),
  );
  const [, sources] =
    /^CMAKE_HOME_DIRECTORY:INTERNAL=(.+?)\r?$/m.exec(bytes?.toString() ?? '') ?? [];
  return sources ?? null;
}

/**
 * True for a folder in which CMake builds what lies elsewhere. It holds the full path of its sources, so a copy of it
 * would build those.
 *
 * @param folder absolute
 */
export function isBuiltByCMake(fs: FileSystem, folder: string): boolean {
  const sources = cmakeSources(fs, folder);
  return sources !== null && !isInside(folder, sources, fs.platform);
}

interface CacheFoldersPorts {
  readonly fs: FileSystem;
  readonly workspace: string;
  /** True if the run itself read or wrote this content there. */
  isKnown(path: string, hash: string): boolean;
}

/** A folder stays what it was when it was first seen, so no later tag can hide a person's files. */
export class CacheFolders {
  readonly #ports: CacheFoldersPorts;
  readonly #seen = new Map<string, boolean>();

  constructor(ports: CacheFoldersPorts) {
    this.#ports = ports;
  }

  /** Notes that files of the folder, and so of all folders above it, were kept. */
  keep(path: string): void {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1)
      this.#seen.set(parts.slice(0, depth).join('/'), false);
  }

  /** @param folder relative to the workspace, with `/` */
  isCache(folder: string, names: readonly string[]): boolean {
    const before = this.#seen.get(folder);
    if (before !== undefined) return before;
    const { fs, workspace, isKnown } = this.#ports;
    const absolute = pathsOf(fs.platform).join(workspace, ...folder.split('/'));
    const tag = folder !== '' && names.includes(CACHE_TAG) ? cacheTag(fs, absolute) : null;
    const is = tag !== null && !isKnown(`${folder}/${CACHE_TAG}`, tag);
    this.#seen.set(folder, is);
    return is;
  }
}
