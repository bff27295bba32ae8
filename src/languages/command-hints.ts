import { moduleHint, nameHint } from './command-hints-names.ts';

import type { CommandSeen, KnownNames } from './command-seen.ts';

/** What a command's well-known outcome asks for next, in one or two sentences. Pure. */
type HintRule = (seen: CommandSeen, known: KnownNames) => string | null;

/** The first that has something to say, says it. */
const RULES: readonly HintRule[] = [
  timeoutHint,
  pytestStdinHint,
  testDataHint,
  inputHint,
  noTestsHint,
  nameHint,
  moduleHint,
  syntaxHint,
  notFoundHint,
  argumentsHint,
  ruffHint,
  npmHint,
  gitHint,
  unexpandedHint,
  silenceHint,
];

export function commandHint(seen: CommandSeen, known: KnownNames): string | null {
  for (const rule of RULES) {
    const hint = rule(seen, known);
    if (hint !== null) return hint;
  }
  return null;
}

/**
 * What the program printed before it wanted input that was not there; `null` when it did not.
 * Python says so itself; node just ends behind its question (code 13 with top-level await).
 */
export function asksForInput(seen: CommandSeen): string | null {
  const { output } = seen;
  if (/^EOFError\b|\bEOF when reading a line\b/m.test(output)) {
    return lastPart(withoutTraceback(output));
  }
  const mayWait = seen.program === 'node' && (seen.exitCode === 0 || seen.exitCode === 13);
  const unanswered = /[:?>]\s?$/.test(output) && !/\n$/.test(output);
  const stillWaiting = seen.exitCode === 13 && /unsettled top-level await/i.test(output);
  if (mayWait && (unanswered || stillWaiting)) {
    return lastPart(output.replace(/^.*Warning: Detected unsettled top-level await[\s\S]*$/m, ''));
  }
  return null;
}

/** stdout and stderr come over two pipes: the prompt may stand before or behind the traceback. */
const withoutTraceback = (output: string): string =>
  output.replace(/Traceback \(most recent call last\):[\s\S]*?^\w*EOF\w*(?::.*)?$/m, '');

const lastPart = (text: string): string => text.trim().slice(-600);

function timeoutHint({ kind, timeoutSec, stdinGiven }: CommandSeen): string | null {
  if (kind !== 'timeout') return null;
  const input = stdinGiven
    ? 'If it waits for more input, give more lines in stdin, with the one that ends the program last.'
    : 'If it reads input, give it in stdin.';
  return `It did not end within ${timeoutSec} s. Look for a loop that never ends or a server. ${input} If it only needs longer, raise timeout_sec.`;
}

function pytestStdinHint({ output }: CommandSeen): string | null {
  if (!/reading from stdin while output is captured/.test(output)) return null;
  return "The tests import or call code that asks for input. Move input() into main(), call main() only under if __name__ == '__main__':, and test functions that take their values as arguments.";
}

function testDataHint(seen: CommandSeen): string | null {
  if (!runs(seen, 'pytest') || !/^E\s+FileNotFoundError: /m.test(seen.output)) return null;
  return 'A test must write the files it reads itself, in tmp_path.';
}

function inputHint(seen: CommandSeen): string | null {
  if (asksForInput(seen) === null) return null;
  return seen.stdinGiven
    ? 'The program asks for more input than stdin gave. Give one line for each question, and last the one that ends the program.'
    : 'The program asks for input. Run it again with stdin: one line for each question, and last the one that ends the program.';
}

function noTestsHint(seen: CommandSeen): string | null {
  if (!runs(seen, 'pytest')) return null;
  const nothing = seen.exitCode === 5 && /no tests ran|collected 0 items/.test(seen.output);
  if (nothing) {
    return 'pytest found no tests. Tests are functions named test_NAME in files named test_NAME.py.';
  }
  if (seen.exitCode === 4 && /not found: /.test(seen.output)) {
    return 'The tests named do not exist. Run pytest without arguments, or name an existing file.';
  }
  return null;
}

function syntaxHint({ output, program }: CommandSeen): string | null {
  const error = /^(?:E\s+)?((?:SyntaxError|IndentationError|TabError): .*)$/m.exec(output)?.[1];
  if (error === undefined) return null;
  if (program === 'node') return nodeSyntaxHint(output, error);
  const place = lastMatch(output, /File "([^"]+)", line (\d+)/g);
  const where = place === null ? 'The file' : `${baseName(place[1] ?? '')}, line ${place[2]},`;
  return `${where} is not valid Python. Correct that line; the fault may be in the line before it.`;
}

function nodeSyntaxHint(output: string, error: string): string {
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

function notFoundHint(seen: CommandSeen, known: KnownNames): string | null {
  const { output } = seen;
  const opened = /can't open file '([^']+)'/.exec(output)?.[1];
  const file = opened ?? /Cannot find module '([^']+\.[cm]?js)'/.exec(output)?.[1];
  if (file === undefined) return null;
  const name = baseName(file);
  const elsewhere = known.files.filter((path) => baseName(path) === name);
  if (elsewhere.length > 0) return `${name} is not there, but ${elsewhere.join(' and ')} is.`;
  return `${name} does not exist. Write it first, or name a file that exists.`;
}

function argumentsHint({ output, exitCode }: CommandSeen): string | null {
  if (exitCode === 2 && /^\S+: error: the following arguments are required/m.test(output)) {
    return 'Run it again with the arguments it asks for.';
  }
  if (/^IndexError: list index out of range$/m.test(output) && /sys\.argv\[/.test(output)) {
    return 'The program expects arguments behind its file name. Run it again with them.';
  }
  return null;
}

const RUFF_CODES: { readonly [code: string]: string } = {
  F401: 'F401: remove the import that is not used',
  F821: 'F821: define or import the name',
  F841: 'F841: remove the variable that is not used',
  F811: 'F811: the name is defined twice, remove one',
  E501: 'E501: break the long line',
  E402: 'E402: move imports to the top',
  I001: 'I001: sort the imports',
  W291: 'W291: remove spaces at line ends',
  W292: 'W292: end the file with a new line',
};

function ruffHint(seen: CommandSeen): string | null {
  if (!runs(seen, 'ruff') || seen.exitCode === 0) return null;
  if (/would be reformatted/.test(seen.output)) return 'Run ruff format to rewrite the files.';
  const codes = Object.keys(RUFF_CODES).filter((code) =>
    new RegExp(`\\b${code}\\b`).test(seen.output),
  );
  const texts = codes.map((code) => RUFF_CODES[code]);
  if (/fixable with/.test(seen.output)) {
    texts.push('ruff check --fix corrects what is marked [*]');
  }
  return texts.length === 0 ? null : `${texts.join('; ')}.`;
}

function npmHint({ program, output }: CommandSeen): string | null {
  if (program !== 'npm') return null;
  const script = /Missing script: "([^"]+)"/.exec(output)?.[1];
  if (script !== undefined) return `Add "${script}" to "scripts" in package.json.`;
  return /Could not read package\.json/.test(output) ? 'Write package.json first.' : null;
}

function gitHint({ program, output }: CommandSeen): string | null {
  if (program !== 'git' || !/not a git repository/.test(output)) return null;
  return 'This folder is no git repository; go on without git.';
}

/** Only where something went wrong: a program may well expand its own patterns. */
function unexpandedHint({ unexpanded, exitCode }: CommandSeen): string | null {
  if (exitCode === 0 || unexpanded.length === 0) return null;
  return `There is no shell: ${unexpanded.join(' ')} was passed as it stands. Write out the names.`;
}

function silenceHint(seen: CommandSeen): string | null {
  const { program, args, exitCode, output } = seen;
  if (exitCode !== 0 || output.trim() !== '') return null;
  const isScript = ['python', 'py', 'node'].includes(program) && !args.includes('-m');
  if (!isScript) return null;
  return 'It printed nothing. If it should: the file must call its main function at its end and print the result.';
}

/** True for the tool itself and for `python -m` with it. */
const runs = ({ program, args }: CommandSeen, tool: string): boolean =>
  program === tool || (args.includes('-m') && args[args.indexOf('-m') + 1] === tool);

function lastMatch(text: string, pattern: RegExp): RegExpExecArray | null {
  let last: RegExpExecArray | null = null;
  for (const match of text.matchAll(pattern)) last = match;
  return last;
}

const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
