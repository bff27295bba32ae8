import { isInside, pathsOf } from '../lib/files/absolute-paths.ts';
import { errorCode } from '../lib/files/durable-files.ts';
import type { FileInfo, FileSystem } from '../lib/files/file-system.ts';
import { judgePath, protectedFolder, tooLong } from './path-rules.ts';

/**
 * The only place that turns a path from a model into a real one.
 * 1. A path whose text shows that it is not allowed is refused before the disk is touched.
 * 2. An accepted path has every link resolved and lies inside the workspace.
 * 3. A path for writing never lies in `.git` or `.agent_context`, under any of their names.
 * An accepted path can be replaced by a link afterwards. Writers therefore replace files by rename, and resolve
 * the path again immediately before.
 */

export type Resolved =
  | {
      readonly kind: 'inside';
      /** The real path; its last parts may not exist yet. */
      readonly absolute: string;
      /** The same relative to the workspace, with `/`; `.` is the workspace itself. */
      readonly relative: string;
      /** False if the last parts of the path do not exist yet. */
      readonly isThere: boolean;
    }
  | { readonly kind: 'refused'; readonly reason: string };

export interface JailOptions {
  readonly platform: NodeJS.Platform;
  readonly forWrite: boolean;
}

const refused = (reason: string): Resolved => ({ kind: 'refused', reason });

/** @param workspaceRealPath absolute, links resolved, as `fs.realpath` returns it */
export function resolveInWorkspace(
  fs: Pick<FileSystem, 'lstat' | 'realpath'>,
  workspaceRealPath: string,
  modelPath: string,
  options: JailOptions,
): Resolved {
  const long = tooLong(modelPath);
  if (long !== null) return refused(long);
  const verdict = judgePath(modelPath);
  if (verdict.kind === 'refused')
    return refused(verdict.reason + insideHint(workspaceRealPath, modelPath, options.platform));
  if (options.platform === 'win32' && /[<>"|?*]/.test(modelPath))
    return refused('the path holds characters that Windows does not allow: < > " | * ?');
  const found = followSegments(fs, workspaceRealPath, verdict.segments, options.platform);
  if (found.kind === 'refused' || !options.forWrite) return found;
  const folder = protectedFolder(verdict.segments) ?? protectedFolder(found.relative.split('/'));
  if (folder !== null) return refused(`nothing in ${folder} may be changed`);
  if (found.relative === '.') return refused('the path names the workspace itself, not a file');
  return found;
}

/** Resolves the part that exists and appends the rest. */
function followSegments(
  fs: Pick<FileSystem, 'lstat' | 'realpath'>,
  workspace: string,
  segments: readonly string[],
  platform: NodeJS.Platform,
): Resolved {
  const paths = pathsOf(platform);
  let real = workspace;
  let existing = 0;
  /** True while nothing on the way is a link, so that the path lies where its text says. */
  let isPlain = true;
  let kind: FileInfo['kind'] = 'directory';
  for (const segment of segments) {
    const next = paths.join(real, segment);
    try {
      kind = fs.lstat(next).kind;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') break;
      return refused(`${pathPrefix(segments, existing + 1)} cannot be looked at (${code})`);
    }
    try {
      // On other platforms a file has many spellings, and only the system knows the real one.
      real = kind !== 'symlink' && platform === 'linux' ? next : fs.realpath(next);
      isPlain &&= real === next;
    } catch (error) {
      const code = errorCode(error);
      const isDead = kind === 'symlink' && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code ?? '');
      const why = isDead ? 'is a link that leads nowhere' : 'cannot be looked at';
      return refused(`${pathPrefix(segments, existing + 1)} ${why} (${code})`);
    }
    existing += 1;
    if (!isPlain && !isInside(workspace, real, platform))
      return refused(`${pathPrefix(segments, existing)} is a link that leads out of the workspace`);
  }
  // A path that was just examined is not examined again, except the target of a link.
  if (
    existing < segments.length &&
    (kind === 'symlink' ? fs.lstat(real).kind : kind) !== 'directory'
  ) {
    return refused(`${pathPrefix(segments, existing)} is a file, not a folder`);
  }
  const absolute = paths.join(real, ...segments.slice(existing));
  const relative = isPlain
    ? segments.join('/')
    : paths.relative(workspace, absolute).split(paths.sep).join('/');
  const isThere = existing === segments.length;
  return { kind: 'inside', absolute, relative: relative === '' ? '.' : relative, isThere };
}

const pathPrefix = (segments: readonly string[], count: number): string =>
  segments.slice(0, count).join('/') || '.';

/** Models like absolute paths; if one lies inside, the refusal says how to write it. */
function insideHint(workspace: string, modelPath: string, platform: NodeJS.Platform): string {
  const paths = pathsOf(platform);
  const plain = paths.normalize(modelPath);
  if (!paths.isAbsolute(plain) || !isInside(workspace, plain, platform))
    return '; paths are relative to the workspace';
  const relative = paths.relative(workspace, plain).split(paths.sep).join('/');
  return `; write it relative to the workspace: ${relative === '' ? '.' : relative}`;
}
