/** True for the names that test runners pick up. */
export function isTestPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /^test_.*\.py$|_test\.py$|\.(?:test|spec)\.[cm]?[jt]sx?$/.test(name);
}
