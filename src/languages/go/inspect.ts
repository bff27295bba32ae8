/** Inspects a Go file: gofmt for its syntax, patterns for what it offers. */
import {
  type Inspection,
  type InspectionDeps,
  NOTHING_OFFERED,
  runChecker,
} from '../files/inspection.ts';
import { codeOnly, definitionsOf, isSource, isTest, packageOf, withoutComments } from './files.ts';

const MAX_DEFINED = 40;

/** @param text the whole file; it is checked as given, not read from the disk again. */
export async function inspectGo(
  path: string,
  text: string,
  deps: InspectionDeps,
): Promise<Inspection | null> {
  if (!isSource(path)) return null;
  const error = await syntaxError(text, deps);
  if (error !== null && error !== '')
    return { ...NOTHING_OFFERED, problems: [error], parses: false };
  const code = codeOnly(text);
  if (packageOf(code) === null) {
    // gofmt accepts a part of a file, but the compiler does not.
    const problem = 'line 1: the file does not begin with its package line, as in: package main';
    return { ...NOTHING_OFFERED, problems: [problem], parses: false };
  }
  return {
    problems: [],
    defines: isTest(path) ? [] : offered(text, code),
    prompts: promptsOf(text, code),
    parses: error === null ? null : true,
  };
}

/** '' if the file parses, `null` if gofmt is missing or gives no answer. */
async function syntaxError(text: string, deps: InspectionDeps): Promise<string | null> {
  const gofmt = await deps.program('gofmt');
  const ran = gofmt === null ? null : await runChecker(gofmt, ['-e', '-l'], text, deps);
  if (ran === null) return null;
  if (ran.exitCode === 0) return '';
  const [, line, message] = /^<standard input>:(\d+):\d+: (.*)$/m.exec(ran.output) ?? [];
  if (line === undefined) return null;
  const shown = text.split(/\r?\n/)[Number(line) - 1]?.trim().slice(0, 120) ?? '';
  return `line ${line}: does not parse, ${message}${shown === '' ? '' : `: ${shown}`}`;
}

/** What others may use: exported names, and all names of a program, which only its own folder can use. */
function offered(text: string, code: string): readonly string[] {
  const isProgram = packageOf(code) === 'main';
  return definitionsOf(text)
    .filter((name) => !['main()', 'init()', '_'].includes(name))
    .filter((name) => isProgram || name.split('.').every((part) => /^\p{Lu}/u.test(part)))
    .slice(0, MAX_DEFINED);
}

const PRINTED = /\bfmt\.Print(?:f|ln)?\(\s*"((?:\\.|[^"\\\n])*)"/g;

/** Texts that a program prints before it reads its input, if they end like a question. */
function promptsOf(text: string, code: string): readonly string[] {
  if (!/\bos\.Stdin\b|\bfmt\.Scan/.test(code)) return [];
  const prompts = [...withoutComments(text).matchAll(PRINTED)]
    .map(([, shown = '']) => shown.replace(/\\n$/, '').replace(/%[-+# 0]*[\d.]*[a-z]/gi, '…'))
    .filter((shown) => /[:?>]\s*$/.test(shown))
    .map((shown) => shown.slice(0, 200));
  return prompts.length === 0 ? [''] : prompts.slice(0, 20);
}
