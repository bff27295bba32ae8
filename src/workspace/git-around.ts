import { pathsOf } from '../lib/files/absolute-paths.ts';

/** Variables that prevent git from using a repository around the folder as the folder's own. */
export const withoutRepositoryAround = (
  folder: string,
  platform: NodeJS.Platform,
): { readonly [name: string]: string } => ({
  GIT_CEILING_DIRECTORIES: pathsOf(platform).dirname(folder),
});
