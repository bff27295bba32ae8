import { pathsOf } from './jail.ts';

/** Variables by which git takes no repository that the folder lies in for its own. */
export const withoutRepositoryAround = (
  folder: string,
  platform: NodeJS.Platform,
): { readonly [name: string]: string } => ({
  GIT_CEILING_DIRECTORIES: pathsOf(platform).dirname(folder),
});
