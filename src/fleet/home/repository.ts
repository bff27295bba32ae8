/** The repository of this machine that runs go through on their way to the home and back, and the names in it. */
import { STATE_DIRECTORY } from '../../journal/layout.ts';
import { ensureDirectory, kindOf, replaceFile } from '../../lib/files/durable-files.ts';
import type { FileInfo, FileSystem } from '../../lib/files/file-system.ts';
import { pathsOf } from '../../workspace/jail.ts';
import { checkVersion, GIT_VARIABLES, type GitOutcome, type StartGit, said } from './git.ts';

/** Where the work of a run is, for whoever takes it over into a project. */
export const branchOf = (run: string): string => `refs/heads/tardigrade/${run}`;
/** Its state; whoever moves it has the run. */
export const stateOf = (run: string): string => `refs/tardigrade/runs/${run}`;
/** Says again and again that a process lives. */
export const beatOf = (holder: string): string => `refs/tardigrade/beats/${holder}`;
export const BEATS = 'refs/tardigrade/beats/*';
/** Here alone: the state that the folder of a run goes on from, the same while it is on its way to the home, what the home has. */
export const hereOf = (run: string): string => `refs/tardigrade/here/${run}`;
export const foundOf = (run: string, what: 'state' | 'work'): string =>
  `refs/tardigrade/found-${what}/${run}`;
export const underWayOf = (run: string): string => `refs/tardigrade/under-way/${run}`;
/** The commit that its own repository is at. */
export const headOf = (run: string): string => `refs/tardigrade/heads/${run}`;

interface Options {
  readonly stdin?: string;
  readonly variables?: { readonly [name: string]: string };
}

export interface Repository {
  readonly fs: FileSystem;
  /** Absolute. */
  readonly folder: string;
  /** Throws E_IO with what git said. */
  git(words: readonly string[], options?: Options): Promise<string>;
  /** Whatever comes of it. */
  tried(words: readonly string[], options?: Options): Promise<GitOutcome>;
}

/** No file is another one for having been through git, whatever a project's own attributes say. */
const AS_IT_IS = '* -text -eol -ident -filter -working-tree-encoding\n';

/** Makes it where it is not there. Throws E_USAGE where git is too old to be kept from a user's settings. */
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
    ...{ fs, folder },
    git: (words, options = {}) => said(start, request(words, options)),
    tried: (words, options = {}) => start(request(words, options)),
  };
  checkVersion(await repository.git(['version']));
  if (kindOf(fs, join(folder, 'HEAD')) === null) {
    ensureDirectory(fs, folder);
    await repository.git(['init', '--quiet', '--bare', '--template=', folder]);
  }
  ensureDirectory(fs, join(folder, 'info'));
  replaceFile(fs, join(folder, 'info', 'attributes'), Buffer.from(AS_IT_IS));
  return repository;
}

/** What stands there, links not followed; `null`: nothing that can be seen. */
export function seenAt(fs: FileSystem, path: string): FileInfo['kind'] | null {
  try {
    return fs.lstat(path).kind;
  } catch {
    return null;
  }
}

/** Of the folder of a run, from its root on. */
export const stateFolderIn = (fs: FileSystem, workspace: string): string =>
  pathsOf(fs.platform).join(workspace, STATE_DIRECTORY);
