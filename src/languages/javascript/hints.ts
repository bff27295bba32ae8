/** What the well-known outcomes of node and npm ask for next. Pure. */
import type { CommandSeen, KnownNames } from '../command-seen.ts';
import { firstHint, type HintRule } from '../first-hint.ts';
import {
  baseName,
  homeOf,
  inputHint,
  missingFileHint,
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

export const hint = (seen: CommandSeen, known: KnownNames): string | null =>
  firstHint(RULES, seen, known);

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
  const name = /^ReferenceError: ([\w$]+) is not defined/m.exec(output)?.[1];
  if (name === undefined) return null;
  if (/^(?:require|module|exports|__dirname)$/.test(name)) {
    return 'This file is an ES module: use import and export instead of require and module.exports.';
  }
  const home = homeOf(name, known, isRunnable);
  return home === null
    ? `${name} is not defined. Define it before it is used, or import it.`
    : `Export it from ${home} and import it: import { ${name} } from './${home}';`;
}

function moduleHint({ output }: CommandSeen): string | null {
  const module = /Cannot find (?:package|module) '([^'./][^']*)'/.exec(output)?.[1];
  return module === undefined
    ? null
    : `There is no ${module} here and nothing can be installed. Use the standard library, or write ${module}.mjs first if it is part of the goal.`;
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
  if (missing !== null) {
    return `${missing[1]} exports no ${missing[2]}: add it there (export function ${missing[2]}) or import what it has.`;
  }
  const place = /^(\S+\.[cm]?js):(\d+)$/m.exec(output);
  const where = place === null ? 'The file' : `${baseName(place[1] ?? '')}, line ${place[2]},`;
  return `${where} is not valid JavaScript. Correct that line.`;
}

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

/** One that only looks whether a file can be read says nothing where it can. */
function saysNothing(
  { program, args, exitCode, output }: CommandSeen,
  known: KnownNames,
): string | null {
  const isScript = program === 'node' && !args.some((arg) => arg === '--check' || arg === '-c');
  const isSilent = isScript && exitCode === 0 && output.trim() === '';
  return isSilent ? silenceHint(scriptIn(args), known) : null;
}
