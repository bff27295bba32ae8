/** The repository on this machine through which runs travel to the home and back, and the refs in it. */
import { STATE_DIRECTORY } from '../../journal/layout.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { ensureDirectory, fileKindAt, replaceFile } from '../../lib/files/durable-files.ts';
import type { FileInfo, FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import { checkVersion, GIT_VARIABLES, type GitOutcome, type StartGit, said } from './git.ts';

/** The branch with a run's work, for merging it into a project. */
export const branchOf = (run: string): string => `refs/heads/tardigrade/${run}`;
/** The ref of its state; whoever moves it holds the run. */
export const stateOf = (run: string): string => `refs/tardigrade/runs/${run}`;
/** The ref of a process's heartbeat. */
export const beatOf = (holder: string): string => `refs/tardigrade/beats/${holder}`;
export const BEATS = 'refs/tardigrade/beats/*';
/**
 * Only here: the state that the folder of a run continues from, the same during a push to the home, and what the home
 * has.
 */
export const hereOf = (run: string): string => `refs/tardigrade/here/${run}`;
export const foundOf = (run: string, what: 'state' | 'work'): string =>
  `refs/tardigrade/found-${what}/${run}`;
export const underWayOf = (run: string): string => `refs/tardigrade/under-way/${run}`;
/** The commit that is checked out in its own repository. */
export const headRefOf = (run: string): string => `refs/tardigrade/heads/${run}`;

interface Options {
  readonly stdin?: string;
  readonly variables?: { readonly [name: string]: string };
}

export interface Repository {
  readonly fs: FileSystem;
  /** Absolute. */
  readonly folder: string;
  /** Throws E_IO with git's message. */
  git(words: readonly string[], options?: Options): Promise<string>;
  /** Never throws. */
  tried(words: readonly string[], options?: Options): Promise<GitOutcome>;
}

/** Git must not change any file, whatever a project's own attributes say. */
const AS_IT_IS = '* -text -eol -ident -filter -working-tree-encoding\n';

/** Creates it if missing. Throws E_USAGE if git is too old to ignore a user's settings. */
export async function repositoryIn(
  folder: string,
  { fs, start }: { readonly fs: FileSystem; readonly start: StartGit },
): Promise<Repository> {
  const { join } = pathsOf(fs.platform);
  const request = (words: readonly string[], { stdin, variables }: Options) => ({
    words,
    ...(stdin === undefined ? {} : { stdin }),
    variables: { ...GIT_VARIABLES, GIT_DIR: folder, ...variables },
  });
  const repository: Repository = {
    fs,
    folder,
    git: (words, options = {}) => said(start, request(words, options)),
    tried: (words, options = {}) => start(request(words, options)),
  };
  checkVersion(await repository.git(['version']));
  if (fileKindAt(fs, join(folder, 'HEAD')) === null) {
    ensureDirectory(fs, folder);
    await repository.git(['init', '--quiet', '--bare', '--template=', folder]);
  }
  ensureDirectory(fs, join(folder, 'info'));
  replaceFile(fs, join(folder, 'info', 'attributes'), Buffer.from(AS_IT_IS));
  return repository;
}

/** The entry at a path, without following links; `null`: nothing visible. */
export const seenAt = (fs: FileSystem, path: string): FileInfo['kind'] | null =>
  orNull(() => fs.lstat(path).kind);

/** From the root of the run's folder. */
export const stateFolderIn = (fs: FileSystem, workspace: string): string =>
  pathsOf(fs.platform).join(workspace, STATE_DIRECTORY);
