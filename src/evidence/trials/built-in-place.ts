/** The folders in which builds keep what they made earlier, which are used in place and are not copied. */
import type { ContextManager } from '../../context-manager/context-manager.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { orNull } from '../../lib/or-null.ts';
import type { ToolContext } from '../../tools/contract.ts';
import { CACHE_TAG, CMAKE_CACHE, cacheTag, isBuiltByCMake } from '../../workspace/cache-folders.ts';
import { gitIgnores } from '../../workspace/git-ignored.ts';
import { walkExcept } from '../../workspace/walk.ts';
import { hasChangedIgnores, isNobodysPath } from '../users-files.ts';

interface BuiltInPlacePort {
  readonly context: Pick<ContextManager, 'state'>;
  readonly toolContext: Pick<ToolContext, 'fs' | 'workspace'>;
  /** The copy, for those who make one. */
  readonly scratch?: { readonly folder: string };
}

export function builtInPlace({ context, toolContext, scratch }: BuiltInPlacePort) {
  const { fs, workspace } = toolContext;
  const { join } = pathsOf(fs.platform);
  const { files, commandChanges } = context.state;
  const { uncovered } = commandChanges;
  const isIgnoredFolder = gitIgnores(fs, workspace, 'folder');
  const isIgnored = hasChangedIgnores(context.state, isIgnoredFolder)
    ? () => false
    : isIgnoredFolder;
  // A tag that this run made would leave out what it does not want to be tried.
  const isOwn = (tag: string): boolean =>
    files[tag]?.written === true || commandChanges.files[tag] !== undefined;
  const isMade = (one: string): boolean =>
    commandChanges.files[one]?.before === null || uncovered[one] === 'made';
  /** The run may have configured a build, by a command, but not where git keeps anything. */
  const hidesSources = (path: string): boolean => {
    const tag = `${path}/${CMAKE_CACHE}`;
    if (files[tag]?.written === true) return true;
    return isMade(tag) && !isIgnored(path) && !isAllMade(path, isMade, toolContext);
  };
  const isUsedInPlace = (path: string): boolean => {
    const folder = join(workspace, ...path.split('/'));
    if (cacheTag(fs, folder) !== null && !isOwn(`${path}/${CACHE_TAG}`)) return true;
    return isBuiltByCMake(fs, folder) && !hidesSources(path);
  };
  const known = new Map<string, boolean>();
  const isFolder = (path: string): boolean => {
    const is = known.get(path) ?? isUsedInPlace(path);
    known.set(path, is);
    return is;
  };
  /** The outermost of them that a file is in. */
  const rootOf = (path: string): string | null => {
    const parts = path.split('/');
    const above = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'));
    return above.find(isFolder) ?? null;
  };
  let isCold = false;
  return {
    isFolder,
    rootOf,
    isWithin: (path: string): boolean => rootOf(path) !== null,
    /** The same as `isFolder`, asked of each folder that a copy may have. */
    isLeft: (path: string): boolean => {
      const is = isFolder(path);
      const there = join(scratch?.folder ?? workspace, ...path.split('/'));
      isCold ||= is && orNull(() => fs.lstat(there)) === null;
      return is;
    },
    /** The copy lacks what is kept in one of the folders. */
    isCold: (): boolean => isCold,
    /** Those that were set up before the run, as far as they were asked for: nothing of the run sets them up again. */
    relocated: (): readonly string[] =>
      [...known].flatMap(([path, is]) => (is && !isMade(`${path}/${CMAKE_CACHE}`) ? [path] : [])),
  };
}

const MAX_MADE = 5_000;

/** True for a folder that holds nothing but what commands of the run made. */
function isAllMade(
  folder: string,
  isMade: (path: string) => boolean,
  { fs, workspace }: Pick<ToolContext, 'fs' | 'workspace'>,
): boolean {
  let count = 0;
  const absolute = pathsOf(fs.platform).join(workspace, ...folder.split('/'));
  for (const { path, info } of walkExcept(fs, absolute, () => false, `${folder}/`)) {
    count += 1;
    const isOurs = info.kind === 'directory' || isMade(path) || isNobodysPath(path);
    if (count > MAX_MADE || !isOurs) return false;
  }
  return true;
}
