/**
 * The questions to git about a commit. Git's words depend on its language, so only exit codes and paths are
 * read.
 */

/** Exits with 0 if nothing is staged. */
export const COMPARE_STAGED = ['diff', '--cached', '--quiet', '--no-ext-diff'] as const;

/** Prints the folder of the hooks, which is elsewhere for a linked worktree, a subfolder and `core.hooksPath`. */
export const FIND_HOOKS = ['rev-parse', '--git-path', 'hooks'] as const;
