/** Pure: which file a person means. */

/**
 * True if the path is the named one. On Windows and macOS a name in another case means the same file, unless
 * a file of exactly that name is among them. @param only left out: every file is meant
 */
export function isMeantPath(
  only: string | undefined,
  paths: readonly string[],
  platform: NodeJS.Platform,
): (path: string) => boolean {
  if (only === undefined) return () => true;
  const isCaseless = platform === 'win32' || platform === 'darwin';
  if (!isCaseless || paths.includes(only)) return (path) => path === only;
  return (path) => path.toLowerCase() === only.toLowerCase();
}
