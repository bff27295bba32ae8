/** Pure: which files are Python's, which of them are tests, and the module name of a file. */

export const owns = (path: string): boolean => /\.py$/i.test(path);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** What pytest picks up; unittest finds only the first form by itself. */
export const isTest = (path: string): boolean => /^test_.*\.py$|_test\.py$/.test(nameOf(path));

const SETTINGS = [
  ...['conftest.py', 'pytest.ini', '.pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini'],
  // Python itself runs these before anything else.
  ...['sitecustomize.py', 'usercustomize.py'],
];

export const configuresTests = (path: string): boolean => SETTINGS.includes(nameOf(path));

export const marksPackage = (path: string): boolean => nameOf(path) === '__init__.py';

const EMPTY = ['__init__.py', 'conftest.py', 'py.typed'];

/** Package markers, and pytest's own settings. */
export const mayBeEmpty = (path: string): boolean => EMPTY.includes(nameOf(path));

/** Files that describe a project, its dependencies and its tests. */
export const isManifest = (path: string): boolean =>
  /^(?:pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.txt|tox\.ini|pytest\.ini)$/.test(
    nameOf(path),
  );

/** `a/b.py` is the module `a.b`, `a/__init__.py` is `a`. */
export const moduleOf = (path: string): string =>
  path
    .replace(/\.py$/, '')
    .replace(/\/__init__$/, '')
    .replaceAll('/', '.');

const DEFINED = /^(?:async\s+def|def|class)\s+(\w+)|^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=(?!=)/gm;

/** Judged by the starts of lines, so that a hint can name them without starting Python. */
export const definedNames = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(DEFINED)].map((match) => match[1] ?? match[2] ?? '')),
];

export const functions = {
  begins: /^(?:async\s+)?def\s+(\w+)/,
  longTexts: /("""|''')[\s\S]*?\1/g,
};

/** A top-level line that only defines, imports, decorates, or ends what such a line began. */
const DEFINING =
  /^(?:(?:async\s+def|def|class|import|from)\b|@|#|[)\]}]|__\w+__\s*=|[A-Z_][A-Z0-9_]*\s*(?::[^=]+)?=)/;

/** True for a module that does nothing when it is run; text in triple quotes is not code. */
export function onlyDefines(text: string): boolean {
  const code = text.replace(/("""|''')[\s\S]*?\1/g, '');
  const lines = code.split(/\r?\n/).filter((line) => /^\S/.test(line));
  return (
    lines.some((line) => /^(?:async\s+def|def|class)\b/.test(line)) &&
    lines.every((line) => DEFINING.test(line))
  );
}
