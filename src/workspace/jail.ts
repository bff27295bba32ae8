import path from 'node:path';
import { errorCode } from '../lib/files/durable-files.ts';
import type { FileInfo, FileSystem } from '../lib/files/file-system.ts';
import { judgePath, protectedFolder, tooLong } from './path-rules.ts';

/**
 * The only place that turns a path from a model into a real one.
 * 1. What the text of a path gives away is refused before the disk is asked.
 * 2. An accepted path has every link resolved and lies inside the workspace.
 * 3. A path for writing never lies in `.git` or `.agent_context`, by any of their names.
 * What is accepted can be swapped for a link afterwards; writers therefore replace by rename and
 * resolve again right before they do.
 */

export type Resolved =
  | {
      readonly kind: 'inside';
      /** Real path; the last parts of it may not exist yet. */
      readonly absolute: string;
      /** The same from the workspace on, with `/`; `.` is the workspace itself. */
      readonly relative: string;
      /** False where the last parts of the path do not exist yet. */
      readonly isThere: boolean;
    }
  | { readonly kind: 'refused'; readonly reason: string };

export interface JailOptions {
  readonly platform: NodeJS.Platform;
  readonly forWrite: boolean;
}

const refused = (reason: string): Resolved => ({ kind: 'refused', reason });

/** How paths are written there; simulated platforms included. */
export const pathsOf = (platform: NodeJS.Platform): path.PlatformPath =>
  platform === 'win32' ? path.win32 : path.posix;

/** @param workspaceRealPath absolute, links resolved, as `fs.realpath` gives it. */
export function resolveInWorkspace(
  fs: Pick<FileSystem, 'lstat' | 'realpath'>,
  workspaceRealPath: string,
  modelPath: string,
  options: JailOptions,
): Resolved {
  const long = tooLong(modelPath);
  if (long !== null) return refused(long);
  const verdict = judgePath(modelPath);
  if (verdict.kind === 'refused') {
    return refused(verdict.reason + insideHint(workspaceRealPath, modelPath, options.platform));
  }
  if (options.platform === 'win32' && /[<>"|?*]/.test(modelPath)) {
    return refused('the path holds characters that Windows does not allow: < > " | ? *');
  }
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
  /** Nothing on the way leads elsewhere, so it lies where its text says. */
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
      // Elsewhere one file answers to many spellings, and only the system knows the real one.
      real = kind !== 'symlink' && platform === 'linux' ? next : fs.realpath(next);
      isPlain &&= real === next;
    } catch (error) {
      return refused(
        `${pathPrefix(segments, existing + 1)} is a link that leads nowhere (${errorCode(error)})`,
      );
    }
    existing += 1;
    if (!isPlain && !isInside(workspace, real, platform)) {
      return refused(`${pathPrefix(segments, existing)} is a link that leads out of the workspace`);
    }
  }
  // What was looked at just now need not be looked at again, but for what a link leads to.
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

export function isInside(folder: string, candidate: string, platform: NodeJS.Platform): boolean {
  const { sep } = pathsOf(platform);
  const fold = (text: string): string => (platform === 'win32' ? text.toLowerCase() : text);
  const base = fold(folder.endsWith(sep) ? folder : folder + sep);
  return fold(candidate) === fold(folder) || fold(candidate).startsWith(base);
}

/** Models like absolute paths; where one lies inside, the refusal says how to write it. */
function insideHint(workspace: string, modelPath: string, platform: NodeJS.Platform): string {
  const paths = pathsOf(platform);
  const plain = paths.normalize(modelPath);
  if (!paths.isAbsolute(plain) || !isInside(workspace, plain, platform)) {
    return '; paths are relative to the workspace';
  }
  const relative = paths.relative(workspace, plain).split(paths.sep).join('/');
  return `; write it relative to the workspace: ${relative === '' ? '.' : relative}`;
}
