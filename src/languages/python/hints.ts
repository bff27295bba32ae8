/** What the well-known outcomes of Python, pytest and ruff ask for next. Pure. */
import type { CommandSeen, KnownNames } from '../command-seen.ts';
import { firstHint, type HintRule } from '../first-hint.ts';
import { baseName, inputHint, missingFileHint, scriptIn, silenceHint } from '../hint-words.ts';
import { moduleHint, nameHint } from './import-hints.ts';

const ARGUMENTS = 'sys.argv[1:]';

const RULES: readonly HintRule[] = [
  capturedInputHint,
  testDataHint,
  (seen) => inputHint(seen, asksForInput(seen)),
  noTestsHint,
  nameHint,
  moduleHint,
  syntaxHint,
  notFoundHint,
  argumentsHint,
  ruffHint,
  saysNothing,
];

export const hint = (seen: CommandSeen, known: KnownNames): string | null =>
  firstHint(RULES, seen, known);

const TRACEBACK = /Traceback \(most recent call last\):[\s\S]*?^\w*EOF\w*(?::.*)?$(?:\r?\n)?/m;

/**
 * Python says so itself. stdout and stderr come over two pipes: what the program printed may stand
 * before or behind the traceback.
 */
export const asksForInput = ({ output }: CommandSeen): string | null =>
  /^EOFError\b|\bEOF when reading a line\b/m.test(output) ? output.replace(TRACEBACK, '') : null;

function capturedInputHint({ output }: CommandSeen): string | null {
  if (!/reading from stdin while output is captured/.test(output)) return null;
  return "The tests import or call code that asks for input. Move input() into main(), call main() only under if __name__ == '__main__':, and test functions that take their values as arguments.";
}

function testDataHint(seen: CommandSeen): string | null {
  if (!runs(seen, 'pytest') || !/^E\s+FileNotFoundError: /m.test(seen.output)) return null;
  return 'A test must write the files it reads itself, in tmp_path.';
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

/** Other languages have a SyntaxError as well: Python names the file in words of its own. */
function syntaxHint({ output, program }: CommandSeen): string | null {
  const isFault = /^(?:E\s+)?(?:SyntaxError|IndentationError|TabError): /m.test(output);
  const place = [...output.matchAll(/File "([^"]+)", line (\d+)/g)].at(-1);
  const isOurs = place !== undefined || /^(?:python|py|pytest|ruff)$/.test(program);
  if (!isFault || !isOurs) return null;
  const where = place ? `${baseName(place[1] ?? '')}, line ${place[2]},` : 'The file';
  return `${where} is not valid Python. Correct that line; the fault may be in the line before it.`;
}

function notFoundHint({ output }: CommandSeen, known: KnownNames): string | null {
  const file = /can't open file '([^']+)'/.exec(output)?.[1];
  return file === undefined ? null : missingFileHint(file, known);
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

/** What ruff finds it says itself, and it may be older than the run. */
function ruffHint(seen: CommandSeen): string | null {
  const wouldFormat = runs(seen, 'ruff') && /would be reformatted/.test(seen.output);
  return wouldFormat ? 'Run ruff format to rewrite the files.' : null;
}

function saysNothing(
  { program, args, exitCode, output }: CommandSeen,
  known: KnownNames,
): string | null {
  if (!['python', 'py'].includes(program) || exitCode !== 0 || output.trim() !== '') return null;
  // Code on the command line is no file that could be mended: it is silent where all is well.
  if (args.includes('-c')) return null;
  const module = args[0] === '-m' ? filesOf(args[1] ?? '') : null;
  const file = module === null ? scriptIn(args) : module.find((path) => known.files.includes(path));
  // Of a module of somebody else's nothing is known: a checker is rightly silent.
  if (module !== null && file === undefined) return null;
  const isCalledWith = args.slice(module === null ? 1 : 2).some((arg) => !arg.startsWith('-'));
  return silenceHint(file, known, isCalledWith ? ARGUMENTS : undefined);
}

/** What `python -m` runs: a package, or a module. */
const filesOf = (name: string): readonly string[] => {
  const path = name.replaceAll('.', '/');
  return [`${path}/__main__.py`, `${path}.py`];
};

/** True for the tool itself and for `python -m` with it. */
const runs = ({ program, args }: CommandSeen, tool: string): boolean =>
  program === tool || (args.includes('-m') && args[args.indexOf('-m') + 1] === tool);
