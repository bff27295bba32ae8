/** Inspects a JavaScript file: `node --check` for its syntax, patterns for what it offers. */
import { type Inspection, type InspectionDeps, runChecker } from '../files/inspection.ts';
import { exportsOf, withoutComments } from './exports.ts';
import { isRunnable } from './files.ts';

const MAX_DEFINED = 40;

/** @param text the whole file; it is checked as given, not read from the disk again. */
export async function inspectJavaScript(
  path: string,
  text: string,
  deps: InspectionDeps,
): Promise<Inspection | null> {
  if (!isRunnable(path)) return null;
  const error = await syntaxError(path, text, deps);
  const code = withoutComments(text);
  const defines = exportsOf(code).slice(0, MAX_DEFINED);
  return {
    problems: error ? [error] : [],
    defines,
    prompts: promptsOf(code),
    parses: error === null,
  };
}

/** `.js` is a module if package.json says so; otherwise both forms are tried, as Node does. */
export async function syntaxError(
  path: string,
  text: string,
  deps: InspectionDeps,
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
  deps: InspectionDeps,
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

function promptsOf(code: string): readonly string[] {
  const asked = code.matchAll(/\b(?:question|prompt)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g);
  const prompts = [...asked].map((match) =>
    (match[2] ?? '').replace(/\$\{[^}]*\}/g, '…').slice(0, 200),
  );
  const readsStdin = /process\.stdin\b|readFileSync\(\s*(?:0|['"]\/dev\/stdin['"])/.test(code);
  return prompts.length === 0 && readsStdin ? [''] : prompts.slice(0, 20);
}
