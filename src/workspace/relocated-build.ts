/**
 * Copies what a build folder says of its project, with the copy's full path in place of the workspace's, so that the build
 * works on the copy's sources with the settings that it has. What was built is not copied, but made there.
 */
import { pathsOf } from '../lib/files/absolute-paths.ts';
import { ensureDirectory, orMissing, writeWholeFile } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { Interruptible } from '../lib/interruptible.ts';
import { orNull } from '../lib/or-null.ts';
import { CMAKE_CACHE, cmakeSources } from './cache-folders.ts';
import { readBytes } from './files.ts';
import { walkExcept } from './walk.ts';

const MAX_FILES = 5_000;
const MAX_BYTES = 1024 * 1024;
/** A longer name that begins alike is another one. */
const GOES_ON = /^[\p{L}\p{N}_.-]/u;

interface Relocation {
  readonly fs: FileSystem;
  readonly workspace: string;
  /** Absolute path of the copy. */
  readonly folder: string;
}

/**
 * Does nothing where the copy has the folder from earlier, or where the folder builds something else.
 *
 * @param path relative to the workspace, with `/`
 */
export function* relocateBuild(
  { fs, workspace, folder }: Relocation,
  path: string,
): Interruptible<void> {
  const { join, dirname } = pathsOf(fs.platform);
  const [from, to] = [workspace, folder].map((root) => join(root, ...path.split('/')));
  if (from === undefined || to === undefined) return;
  if (orMissing(() => fs.lstat(join(to, CMAKE_CACHE))) !== null) return;
  const root = rootIn(cmakeSources(fs, from) ?? '', { fs, workspace });
  if (root === null) return;
  const here = folder.replaceAll('\\', '/');
  let count = 0;
  for (const { path: name, info } of walkExcept(fs, from, () => false, '')) {
    yield;
    count += 1;
    if (count > MAX_FILES) return;
    if (info.kind !== 'file' || info.size > MAX_BYTES) continue;
    const bytes = orNull(() => readBytes(fs, join(from, ...name.split('/')), MAX_BYTES));
    if (bytes === null || bytes.includes(0)) continue;
    const place = join(to, ...name.split('/'));
    ensureDirectory(fs, dirname(place));
    const mode = (info.mode & 0o777) | 0o600;
    writeWholeFile(fs, place, replaced(bytes, root, here), { flags: 'wx', mode });
    // The sources of the copy are newer, so that what is generated from them is generated anew.
    fs.setModified?.(place, info.mtimeMs);
  }
}

function replaced(bytes: Buffer, root: string, here: string): Buffer {
  const [first = '', ...others] = bytes.toString().split(root);
  if (others.length === 0) return bytes;
  return Buffer.from(
    first + others.map((rest) => (GOES_ON.test(rest) ? root : here) + rest).join(''),
  );
}

/** The workspace as the build writes it; `null`: the sources lie elsewhere. */
function rootIn(
  sources: string,
  { fs, workspace }: Pick<Relocation, 'fs' | 'workspace'>,
): string | null {
  const names = [workspace, orNull(() => fs.realpath(workspace)) ?? workspace];
  const written = names.map((name) => name.replaceAll('\\', '/'));
  return written.find((name) => sources === name || sources.startsWith(`${name}/`)) ?? null;
}
