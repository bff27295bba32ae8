/** Pure: what a JavaScript file defines at its top level, and what of it is exported. */

/** Removes comments that fill whole lines; lines keep their numbers, and an unclosed comment ends the text. */
export function withoutComments(text: string): string {
  return text
    .replace(/^[ \t]*\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/gm, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/^[ \t]*\/\/.*$/gm, '');
}

/** Exported names; `add()` is a function. */
export function exportsOf(code: string): readonly string[] {
  const found = new Set<string>();
  const all = (source: string) => code.matchAll(new RegExp(source, 'gm'));
  const called = new Set(
    [...all(functions.begins.source)].map((begun) => begun.slice(1).find(Boolean) ?? ''),
  );
  const add = (name: string) => found.add(called.has(name) ? `${name}()` : name);
  for (const [, name = ''] of all(
    String.raw`^export\s+(?:async\s+)?(?:function\s*\*?|class|const|let|var)\s+(\w+)`,
  ))
    add(name);
  for (const [, list = ''] of all(String.raw`^(?:export|module\.exports\s*=)\s*\{([^}]*)\}`))
    for (const one of list.split(',')) {
      const name = one.trim().replace(/^.*\sas\s+|\s*:.*$/gs, '');
      if (/^\w+$/.test(name)) add(name);
    }
  for (const [, name = ''] of all(String.raw`^(?:module\.)?exports\.(\w+)\s*=`)) add(name);
  return [...found];
}

const DEFINED =
  /^(?:export\s+)?(?:default\s+)?(?:(?:async\s+)?function\*?|class|const|let|var)\s+([A-Za-z_$][\w$]*)/gm;

/** Exported or not: a hint can say that a name exists and must be exported. */
export const definedNames = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(DEFINED)].map((match) => match[1] ?? '')),
];

export const functions = {
  begins:
    /^(?:export\s+)?(?:default\s+)?(?:(?:async\s+)?function\s*\*?\s*([A-Za-z_$][\w$]*)|(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:function\b|\([^()]*(?:\([^()]*\)[^()]*)*\)\s*=>|[A-Za-z_$][\w$]*\s*=>))/,
  longTexts: /`(?:\\[\s\S]|[^`\\])*`|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/g,
};

/** A top-level line that defines, imports, exports, or ends what such a line began. */
const DEFINING =
  /^(?:(?:export|import|function|async function|class)\b|(?:module\.)?exports\b|[)\]}]|['"]use strict|(?:const|let|var)\s+(?:[\w$]+\s*=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>|class\b|require\()|[A-Z][A-Z0-9_]*\s*=|\{[^}]*\}\s*=\s*require\())/;

/** True for a module that does nothing when it is run. */
export function onlyDefines(text: string): boolean {
  const code = withoutComments(text).split(/\r?\n/);
  const lines = code.filter((line) => /^\S/.test(line));
  return definedNames(text).length > 0 && lines.every((line) => DEFINING.test(line));
}
