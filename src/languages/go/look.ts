/** Looks at a Go file: gofmt for its syntax, patterns for what it lacks and what it offers. */
import { type Look, type LookDeps, NOTHING_OFFERED, runChecker } from '../files/look-deps.ts';
import { codeOnly, definitionsOf, isSource, isTest, packageOf, withoutComments } from './files.ts';

const MAX_DEFINED = 40;
/** Finding the line of each takes a look at all of the text before it. */
const MAX_STUBS = 20;

/** @param text the whole file; it is checked as given, not read from the disk again. */
export async function lookAtGo(path: string, text: string, deps: LookDeps): Promise<Look | null> {
  if (!isSource(path)) return null;
  const error = await syntaxError(text, deps);
  if (error !== null && error !== '') {
    return { ...NOTHING_OFFERED, problems: [error], parses: false };
  }
  const code = codeOnly(text);
  if (packageOf(code) === null) {
    // gofmt takes a part of a file for a file, the compiler does not.
    const problem = 'line 1: the file does not begin with its package line, as in: package main';
    return { ...NOTHING_OFFERED, problems: [problem], parses: false };
  }
  const problems = [
    ...stubProblems(code, text),
    ...importProblems(code, text),
    ...testProblems(path, code),
  ];
  return {
    problems,
    defines: isTest(path) ? [] : offered(text, code),
    prompts: promptsOf(text, code),
    parses: error === null ? null : true,
  };
}

/** '' for a file that parses, `null` where gofmt is missing or gives no answer. */
async function syntaxError(text: string, deps: LookDeps): Promise<string | null> {
  const gofmt = await deps.program('gofmt');
  const ran = gofmt === null ? null : await runChecker(gofmt, ['-e', '-l'], text, deps);
  if (ran === null) return null;
  if (ran.exitCode === 0) return '';
  const [, line, message] = /^<standard input>:(\d+):\d+: (.*)$/m.exec(ran.output) ?? [];
  if (line === undefined) return null;
  const shown = text.split(/\r?\n/)[Number(line) - 1]?.trim().slice(0, 120) ?? '';
  return `line ${line}: does not parse, ${message}${shown === '' ? '' : `: ${shown}`}`;
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** A method may do nothing, so that its type fits an interface; one with a result may not. */
const EMPTY =
  /^func (?:(\([^)]*\))\s*)?(\w+)(?:\[[^\]]*\])?\((?:[^()]|\([^()]*\))*\)([^{}\n]*)\{\s*\}/gm;

function stubProblems(code: string, text: string): readonly string[] {
  const empty = [...code.matchAll(EMPTY)]
    .filter(([, receiver, , result = '']) => receiver === undefined || result.trim() !== '')
    .filter(([, , name = '']) => !/no_?op|nothing|dummy|ignore|^init$/i.test(name))
    .slice(0, MAX_STUBS)
    .map(
      (match) =>
        `line ${lineAt(code, match.index)}: the function ${match[2]} is empty: write its whole body`,
    );
  const panics = /\bpanic\(\s*["`](?:(?:not (?:yet )?|un)implemented|todo)\b/i.exec(
    withoutComments(text),
  );
  return panics === null
    ? empty
    : [
        ...empty,
        `line ${lineAt(text, panics.index)}: it only panics with "not implemented": write the code`,
      ];
}

/** Of the standard library only: there the last part of the path is the name in code. */
const IMPORTED = /^\s*(?:import\s+)?"([a-z0-9]+(?:\/[a-z0-9]+)*)"\s*$/;

interface Imported {
  readonly path: string;
  readonly name: string;
  readonly line: number;
}

function importsOf(text: string): readonly Imported[] {
  const end = /^(?:func|type|var|const)\b/m.exec(withoutComments(text))?.index ?? text.length;
  const lines = withoutComments(text).slice(0, end).split(/\r?\n/);
  return lines.flatMap((line, index) => {
    const path = IMPORTED.exec(line)?.[1];
    const name = path
      ?.replace(/\/v\d+$/, '')
      .split('/')
      .at(-1);
    return path === undefined || name === undefined ? [] : [{ path, name, line: index + 1 }];
  });
}

const OFTEN_FORGOTTEN = ['bufio', 'errors', 'fmt', 'os', 'sort', 'strconv', 'strings', 'testing'];

/** Both are errors of the compiler; a name that is also a variable is left to it. */
function importProblems(code: string, text: string): readonly string[] {
  const imports = importsOf(text);
  const uses = (name: string): boolean => new RegExp(String.raw`(?<![.\w])${name}\s*\.`).test(code);
  const unused = imports
    .filter(({ name }) => !uses(name))
    .map(({ path, line }) => `line ${line}: "${path}" is imported and not used: leave it out`);
  const missing = OFTEN_FORGOTTEN.filter((name) => {
    const isOther = new RegExp(String.raw`(?<![.\w])${name}\b(?!\s*\.)`).test(code);
    const isImported = new RegExp(String.raw`"(?:[^"\n]*/)?${name}"`).test(text);
    return !isOther && !isImported && new RegExp(String.raw`(?<![.\w])${name}\.[A-Z]`).test(code);
  }).map((name) => `line 1: ${name} is used but not imported: add import "${name}"`);
  return [...unused, ...missing];
}

function testProblems(path: string, code: string): readonly string[] {
  if (!isTest(path)) return [];
  if (!/^func (?:Test|Benchmark|Fuzz|Example)\w*\(/m.test(code)) {
    return ['line 1: the file holds no tests: write func TestNAME(t *testing.T) { ... }'];
  }
  const lower = /^func (Test[a-z]\w*)\(\w+ \*testing\.T\)/m.exec(code);
  if (lower !== null) {
    return [`line ${lineAt(code, lower.index)}: ${lower[1]} is not run: a capital follows Test`];
  }
  const fails =
    /\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\b|\b(?:assert|require)\.|\bfunc Example/;
  return fails.test(code) || /\b\w+\(\w*t\b[,)]/.test(code)
    ? []
    : ['line 1: no test can fail: compare results, and call t.Errorf where they differ'];
}

/** What others may use: exported names, and of a program all, since only its own folder can. */
function offered(text: string, code: string): readonly string[] {
  const isProgram = packageOf(code) === 'main';
  return definitionsOf(text)
    .filter(({ name }) => name !== 'main' && name !== 'init' && name !== '_')
    .filter(({ name }) => isProgram || name.split('.').every((part) => /^\p{Lu}/u.test(part)))
    .map(({ signature }) => signature.slice(0, 120))
    .slice(0, MAX_DEFINED);
}

const PRINTED = /\bfmt\.Print(?:f|ln)?\(\s*"((?:\\.|[^"\\\n])*)"/g;

/** Texts printed by a program that reads its input, where they end like a question. */
function promptsOf(text: string, code: string): readonly string[] {
  if (!/\bos\.Stdin\b|\bfmt\.Scan/.test(code)) return [];
  const prompts = [...withoutComments(text).matchAll(PRINTED)]
    .map(([, shown = '']) => shown.replace(/\\n$/, '').replace(/%[-+# 0]*[\d.]*[a-z]/gi, '…'))
    .filter((shown) => /[:?>]\s*$/.test(shown))
    .map((shown) => shown.slice(0, 200));
  return prompts.length === 0 ? [''] : prompts.slice(0, 20);
}
