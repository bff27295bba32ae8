/** Looks at a JavaScript file: `node --check` for its syntax, patterns for what it offers. */
import { type Look, type LookDeps, runChecker } from '../files/look-deps.ts';
import { exportsOf, onlyDefines, withoutComments } from './exports.ts';
import { isRunnable, isTest } from './files.ts';
import { LOCAL_IMPORT, resolveFrom } from './imports.ts';
import { commonJsProblems } from './required.ts';

const MAX_DEFINED = 40;
/** Finding the line of each takes a look at all of the text before it. */
const MAX_STUBS = 20;
const MAX_IMPORTS = 200;

/** @param text the whole file; it is checked as given, not read from the disk again. */
export async function lookAtJavaScript(
  path: string,
  text: string,
  deps: LookDeps,
): Promise<Look | null> {
  if (!isRunnable(path)) return null;
  const error = await syntaxError(path, text, deps);
  const code = withoutComments(text);
  const problems = error
    ? [error]
    : [
        ...stubProblems(code),
        ...commonJsProblems(path, code),
        ...importProblems(path, code, deps),
        ...testProblems(path, code),
        ...uselessProblems(path, code, deps),
      ];
  const defines = [...exportsOf(code).values()].slice(0, MAX_DEFINED);
  return { problems, defines, prompts: promptsOf(code), parses: error === null };
}

/** `.js` is a module where package.json says so; else both forms are tried, as Node does. */
export async function syntaxError(
  path: string,
  text: string,
  deps: LookDeps,
): Promise<string | null> {
  const usesModules = /^[ \t]*(?:import\b(?!\s*\()|export\b)/m.test(text) || /^await\b/m.test(text);
  const isModule = path.endsWith('.mjs') || (!path.endsWith('.cjs') && usesModules);
  if (isModule) return checkAs('module', text, deps);
  const asScript = await checkAs('commonjs', text, deps);
  if (asScript === null || path.endsWith('.cjs')) return asScript;
  return (await checkAs('module', text, deps)) === null ? null : asScript;
}

async function checkAs(
  type: 'module' | 'commonjs',
  text: string,
  deps: LookDeps,
): Promise<string | null> {
  if (deps.runtime === null) return null;
  const ran = await runChecker(deps.runtime, ['--check', `--input-type=${type}`, '-'], text, deps);
  if (!ran || ran.exitCode === 0) return null;
  const message = /^\w*Error: .*$/m.exec(ran.output)?.[0];
  if (!message) return null;
  const place = /^(?:\[stdin\]|.*\[eval\d*\]|.*\[stdin\]):(\d+)\r?\n(.*)$/m.exec(ran.output);
  const where = place ? `line ${place[1]}: ` : '';
  const shown = place?.[2]?.trim() ? `: ${place[2].trim().slice(0, 120)}` : '';
  return `${where}does not parse, ${message.replace(/^SyntaxError: /, '')}${shown}`;
}

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length;

function stubProblems(code: string): readonly string[] {
  if (code.replace(/^[ \t]*(?:import\b.*|['"]use strict['"];?|#!.*)$/gm, '').trim() === '')
    return ['line 1: the file holds no code beside imports and comments: write the code'];
  const empty =
    /^[ \t]*(?:export )?(?:default )?(?:async )?function\s*\*?\s*(\w+)\s*\([^)]*\)\s*\{\s*\}/gm;
  return [...code.matchAll(empty)]
    .filter((match) => !/no_?op|nothing|dummy|ignore/i.test(match[1] ?? ''))
    .slice(0, MAX_STUBS)
    .map(
      (match) =>
        `line ${lineAt(code, match.index + match[0].search(/\S/))}: the function ${match[1]} is empty: write its whole body`,
    );
}

function importProblems(path: string, code: string, deps: LookDeps): readonly string[] {
  return [...code.matchAll(LOCAL_IMPORT)].slice(0, MAX_IMPORTS).flatMap((match) => {
    const wanted = match[1] ?? '';
    const target = resolveFrom(path, wanted);
    if (target === null || deps.planned.includes(target)) return [];
    const isRequire = match[0].includes('require');
    const endings = isRequire ? ['', '.js', '.cjs', '.json', '/index.js'] : [''];
    const line = `line ${lineAt(code, match.index + match[0].search(/\S/))}`;
    if (endings.some((ending) => deps.exists(target + ending)))
      return missingNames(line, match[0], target, deps);
    if (endings.some((ending) => deps.planned.includes(target + ending))) return [];
    const other = ['.js', '.mjs', '.cjs'].find((ending) => deps.exists(target + ending));
    if (other) return [`${line}: ${wanted} does not exist: write '${wanted}${other}'`];
    return [`${line}: ${wanted} does not exist: import a file that is here`];
  });
}

function missingNames(
  line: string,
  statement: string,
  target: string,
  deps: LookDeps,
): readonly string[] {
  const list = /^\s*import\s+\{([^}]*)\}/.exec(statement)?.[1];
  const text = list === undefined ? null : deps.readText(target);
  if (list === undefined || text === null || /\bexport\s*\*|module\.exports|\bexports\./.test(text))
    return [];
  const code = withoutComments(text);
  const offered = exportsOf(code);
  if (offered.size === 0 && /\bexport\b/.test(code)) return [];
  const wanted = list
    .split(',')
    .map((one) => one.trim().split(/\s+as\s+/)[0] ?? '')
    .filter((one) => /^\w+$/.test(one));
  return wanted
    .filter((name) => !offered.has(name) && name !== 'default')
    .map(
      (name) =>
        `${line}: ${target} does not export ${name} (it exports: ${[...offered.keys()].slice(0, 8).join(', ') || 'nothing'})`,
    );
}

function testProblems(path: string, code: string): readonly string[] {
  if (!isTest(path)) return [];
  const first = /\b(?:test|it|describe|suite|tap)(?:\.\w+)*\s*\(/.exec(code);
  if (!first)
    return ["line 1: the file holds no tests: write test('...', () => { ... }) with asserts"];
  if (!/\b(?:assert|expect|should|equal|ok|is|deepEqual|throws|strictEqual)\w*\s*[.(]/.test(code))
    return [
      `line ${lineAt(code, first.index)}: no test asserts anything: compare results with assert`,
    ];
  const outside =
    /child_process|node:fs|['"]fs['"]|\bfetch\(|import\(|require\(\s*[^'"]|['"]\.{1,2}\/|['"]#/.test(
      code,
    );
  const ownFunctions =
    /^(?:async )?function \w+|^const \w+ = (?:async )?(?:\([^)]*\)|\w+) =>/m.test(code);
  return outside || !ownFunctions
    ? []
    : ['line 1: the tests define what they test themselves: import it from its file'];
}

/** What a page loads beside others, or what a page is told of by its names. */
const OF_A_PAGE = /\b(?:window|document|globalThis|self|navigator|localStorage)\b/;

/** Nothing happens when it is run, and nobody can import what it defines. */
function uselessProblems(path: string, code: string, deps: LookDeps): readonly string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const isOfAPage =
    OF_A_PAGE.test(code) ||
    deps.planned.some((file) => file.endsWith('.html')) ||
    ['index.html', `${folder}index.html`].some((page) => deps.exists(page));
  return isTest(path) || isOfAPage || exportsOf(code).size > 0 || !isUseless(code)
    ? []
    : [
        'line 1: it defines functions, but runs none and exports none: write export before what other files use, or call the main function at the end',
      ];
}

const isUseless = (code: string): boolean =>
  onlyDefines(code) &&
  /\bfunction\b|=>|\bclass\b/.test(code) &&
  !/\bexports?\b|\bimport\s*['"]/.test(code);

function promptsOf(code: string): readonly string[] {
  const asked = code.matchAll(/\b(?:question|prompt)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g);
  const prompts = [...asked].map((match) =>
    (match[2] ?? '').replace(/\$\{[^}]*\}/g, '…').slice(0, 200),
  );
  const readsStdin = /process\.stdin\b|readFileSync\(\s*(?:0|['"]\/dev\/stdin['"])/.test(code);
  return prompts.length === 0 && readsStdin ? [''] : prompts.slice(0, 20);
}
