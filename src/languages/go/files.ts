/** Pure: which files are Go's, which of them are tests, and what a file defines, by its text. */

/** Sources, and the files that describe a module and pin its dependencies. */
export const owns = (path: string): boolean => isSource(path) || isData(path);

export const isSource = (path: string): boolean => /\.go$/.test(path);

/** What `go test` picks up; it skips names that begin with `_` or a dot. */
export const isTest = (path: string): boolean => /(?:^|\/)[^/_.][^/]*_test\.go$/.test(path);

export const isData = (path: string): boolean => /(?:^|\/)go\.(?:mod|sum|work)$/.test(path);

export const isManifest = (path: string): boolean => /(?:^|\/)go\.mod$/.test(path);

/** A file that may contain the program: `go run` accepts no tests. */
export const isRunnable = (path: string): boolean => isSource(path) && !/_test\.go$/.test(path);

/** An unclosed comment extends to the end, so its closing mark is searched only once. */
const TEXTS = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])+'/g;

/** Removes comments and the content of strings; lines keep their numbers. */
export const codeOnly = (text: string): string =>
  text.replace(TEXTS, (found) => found.replace(/[^\n]/g, ' '));

/** Removes comments only. */
export const withoutComments = (text: string): string =>
  text.replace(TEXTS, (found) => (found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found));

export const packageOf = (code: string): string | null =>
  /^\s*package (\w+)/.exec(code)?.[1] ?? null;

const FUNCTION = /^func (?:\(\s*(?:\w+\s+)?\*?(\w+)[^)]*\)\s*)?(\w+)(?:\[[^\]]*\])?\s*\(/gm;
const SINGLE = /^(?:type|const|var) (\w+)/gm;
const GROUP = /^(?:type|const|var) \(\n([\s\S]*?)^\)/gm;

/** The names of everything at the top level, functions first; a method is `Stack.Push()`. */
export function definitionsOf(text: string): readonly string[] {
  const code = codeOnly(text.replaceAll('\r\n', '\n'));
  const functions = [...code.matchAll(FUNCTION)].map(
    ([, type, name = '']) => `${type === undefined ? '' : `${type}.`}${name}()`,
  );
  const grouped = [...code.matchAll(GROUP)].flatMap(([, body = '']) => [
    ...body.matchAll(/^\t(\w+)\b/gm),
  ]);
  const names = [...code.matchAll(SINGLE), ...grouped].map(([, name = '']) => name);
  return [...functions, ...names];
}

/** True for a file without the program itself. */
export const onlyDefines = (text: string): boolean => !/^func main\(\)/m.test(codeOnly(text));

export const functions = {
  begins: /^func\s+(\w+)\s*[([]/,
  longTexts: /`[^`]*`|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/g,
};

/** Methods belong to their types. */
export const definedNames = (text: string): readonly string[] => [
  ...new Set(
    definitionsOf(text)
      .map((name) => name.replace('()', ''))
      .filter((name) => !name.includes('.')),
  ),
];
