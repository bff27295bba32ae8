/** What the well-known outcomes of node and npm ask for next. Pure. */
import type { CommandSeen, KnownNames } from '../command-seen.ts';
import { firstHint, type HintRule } from '../first-hint.ts';
import {
  baseName,
  homeOf,
  inputHint,
  missingFileHint,
  notHere,
  scriptIn,
  silenceHint,
} from '../hint-words.ts';
import { isRunnable } from './files.ts';

const RULES: readonly HintRule[] = [
  (seen) => inputHint(seen, asksForInput(seen)),
  nameHint,
  moduleHint,
  syntaxHint,
  notFoundHint,
  npmHint,
  saysNothing,
];

/** In a report of tests the words of a file stand behind a mark. */
export const hint = (seen: CommandSeen, known: KnownNames): string | null =>
  firstHint(RULES, { ...seen, output: seen.output.replace(/^# /gm, '') }, known);

/** node just ends behind its question (code 13 with top-level await). */
export function asksForInput({ program, exitCode, output }: CommandSeen): string | null {
  if (program !== 'node' || (exitCode !== 0 && exitCode !== 13)) return null;
  const isUnanswered = /[:?>]\s?$/.test(output) && !/\n$/.test(output);
  const isWaiting = exitCode === 13 && /unsettled top-level await/i.test(output);
  return isUnanswered || isWaiting
    ? output.replace(/^.*Warning: Detected unsettled top-level await[\s\S]*$/m, '')
    : null;
}

function nameHint({ output }: CommandSeen, known: KnownNames): string | null {
  const name = /^\s*(?:ReferenceError: |error: ')([\w$]+) is not defined/m.exec(output)?.[1];
  if (name === undefined) return null;
  if (/^(?:test|describe|it|before|after|beforeEach|afterEach|mock)$/.test(name))
    return `Import it: import { ${name} } from 'node:test';`;
  if (name === 'assert') return "Import it: import assert from 'node:assert/strict';";
  if (/^(?:require|module|exports|__dirname)$/.test(name)) {
    return 'This file is an ES module: use import and export instead of require and module.exports.';
  }
  const home = homeOf(name, known, isRunnable);
  return home === null
    ? `${name} is not defined. Define it before it is used, or import it.`
    : `Export it from ${home} and import it: import { ${name} } from './${home}';`;
}

function moduleHint({ output }: CommandSeen, known: KnownNames): string | null {
  const { packages = [] } = known;
  const module = /Cannot find (?:package|module) '([^'./][^']*)'/.exec(output)?.[1];
  // What is under work here is found by its name only once it is built or linked.
  const isOwn = packages.some((name) => module === name || module?.startsWith(`${name}/`));
  return module === undefined || isOwn
    ? null
    : notHere(module, `, or write ${module}.mjs first if it is part of the goal`, known);
}

function syntaxHint({ output, program }: CommandSeen): string | null {
  const error = /^SyntaxError: .*$/m.exec(output)?.[0];
  if (error === undefined || (program !== 'node' && program !== 'npm')) return null;
  if (/Cannot use import statement outside a module/.test(error)) {
    return 'Files with import must be named .mjs, or package.json needs "type": "module".';
  }
  const missing = /requested module '([^']+)' does not provide an export named '([^']+)'/.exec(
    error,
  );
  if (missing !== null) return exportsNo(missing[1] ?? '', missing[2] ?? '');
  const named = /Named export '([^']+)' not found\. The requested module '([^']+)'/.exec(error);
  if (named !== null) return exportsNo(named[2] ?? '', named[1] ?? '');
  const place = /^(\S+\.[cm]?js):(\d+)$/m.exec(output);
  const where = place === null ? 'The file' : `${baseName(place[1] ?? '')}, line ${place[2]},`;
  return `${where} is not valid JavaScript. Correct that line.`;
}

const exportsNo = (module: string, name: string): string =>
  `${module} exports no ${name}: add it there (export function ${name}) or import what it has.`;

function notFoundHint({ output }: CommandSeen, known: KnownNames): string | null {
  const file = /Cannot find module '([^']+\.[cm]?js)'/.exec(output)?.[1];
  return file === undefined ? null : missingFileHint(file, known);
}

function npmHint({ program, output }: CommandSeen): string | null {
  if (program !== 'npm') return null;
  const script = /Missing script: "([^"]+)"/.exec(output)?.[1];
  if (script !== undefined) return `Add "${script}" to "scripts" in package.json.`;
  return /Could not read package\.json/.test(output) ? 'Write package.json first.' : null;
}

/** A check of a file, and code on the command line, are silent where all is well. */
const SILENT_BY_NATURE = new Set(['--check', '-c', '--eval', '-e']);

function saysNothing(
  { program, args, exitCode, output }: CommandSeen,
  known: KnownNames,
): string | null {
  const isScript = program === 'node' && !args.some((arg) => SILENT_BY_NATURE.has(arg));
  const isSilent = isScript && exitCode === 0 && output.trim() === '';
  const isCalledWith = args.slice(args.indexOf(scriptIn(args) ?? '') + 1).length > 0;
  return isSilent
    ? silenceHint(scriptIn(args), known, isCalledWith ? 'process.argv.slice(2)' : undefined)
    : null;
}
