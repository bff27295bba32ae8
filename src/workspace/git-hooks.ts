/**
 * Detects programs that git itself would run at the next commit, checkout or push: a command may install one,
 * and no diff shows it. Compares only names, sizes and times, and reads none of git's settings.
 */
import { pathsOf } from '../lib/files/absolute-paths.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';

/** The stamp of each hook, by name. */
type HooksSeen = ReadonlyMap<string, string>;

type Disk = Pick<FileSystem, 'platform' | 'lstat' | 'readdir'>;

/** Further hooks are not examined. */
const MAX_HOOKS = 200;
/** Git does not run these. */
const EXAMPLE = '.sample';

export interface HookWatch {
  /** Describes hooks that are new or changed since the last call; `null`: none. */
  changed(): string | null;
}

export function watchHooks(fs: Disk, workspace: string): HookWatch {
  let seen = hooksOf(fs, workspace);
  return {
    changed: () => {
      const before = seen;
      seen = hooksOf(fs, workspace);
      const names = changedHooks(before, seen);
      return names.length === 0 ? null : hooksText(names);
    },
  };
}

/** The hooks of the repository that contains a folder. */
function hooksOf(fs: Disk, workspace: string): HooksSeen {
  const folder = hooksFolder(fs, workspace);
  if (folder === null) return new Map();
  const { join } = pathsOf(fs.platform);
  const names = (orNull(() => fs.readdir(folder)) ?? []).filter((name) => !name.endsWith(EXAMPLE));
  return new Map(
    names.slice(0, MAX_HOOKS).flatMap((name): [string, string][] => {
      const seen = orNull(() => fs.lstat(join(folder, name)));
      if (seen === null || seen.kind === 'directory') return [];
      const { kind, size, mode, mtimeMs, changedMs = 0, inode = 0 } = seen;
      return [[name, [kind, size, mode, mtimeMs, changedMs, inode].join(' ')]];
    }),
  );
}

/** Names of the new or changed hooks, sorted. */
const changedHooks = (before: HooksSeen, now: HooksSeen): readonly string[] =>
  [...now].flatMap(([name, seen]) => (before.get(name) === seen ? [] : [name])).sort();

/** The message at the end of a run or of a message of a conversation. */
const hooksText = (names: readonly string[]): string => {
  const [one] = names;
  const all = names.map((name) => `.git/hooks/${name}`).join(', ');
  return names.length === 1 && one !== undefined
    ? `${all} is new or was changed meanwhile. git runs it by itself: look at it before you use git here.`
    : `${all} are new or were changed meanwhile. git runs them by itself: look at them before you use git here.`;
};

/** The folder of git's hooks, in the workspace or above it. */
function hooksFolder(fs: Disk, workspace: string): string | null {
  const { join, dirname } = pathsOf(fs.platform);
  for (let at = workspace; ; at = dirname(at)) {
    const git = orNull(() => fs.lstat(join(at, '.git')));
    if (git !== null) {
      const hooks = join(at, '.git', 'hooks');
      return orNull(() => fs.lstat(hooks))?.kind === 'directory' ? hooks : null;
    }
    if (dirname(at) === at) return null;
  }
}
