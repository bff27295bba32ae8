/** Pure: how Python's programs and tests are run with the installed programs. */
import type { DescribedCall, Installed, PlanWords, ProgramRunning, TestRun } from '../language.ts';
import { isTest, moduleOf, owns } from './files.ts';
import { TOOLS } from './find-python.ts';
import { testPrograms } from './test-programs.ts';

const NAMES = ['python', 'python3', 'py'];

const nameOf = (installed: Installed): string | null =>
  NAMES.find((name) => installed.has(name)) ?? null;

/** Without a Python the usual command is used: its outcome will say that it cannot run. */
const commandName = (installed: Installed): string => nameOf(installed) ?? 'python';

const usesPytest = (installed: Installed): boolean =>
  installed.has('pytest') || nameOf(installed) === null;

export const running: ProgramRunning = {
  programs: (resolve) => [...NAMES, 'pytest'].filter((name) => resolve(name) !== null),
  canRun: (installed) => nameOf(installed) !== null,
  runsBeside: (program, args) => {
    // After a script, `-m` is an option of that script.
    const first = args.findIndex((arg) => arg === '-m' || !arg.startsWith('-'));
    const tool = args[first] === '-m' ? (args[first + 1] ?? '') : '';
    return ['python', 'py'].includes(program) && TOOLS.includes(tool) ? [tool] : [];
  },
  names: ['python', 'pytest'],
  notes,
  run: (file, installed) => (owns(file) ? `${commandName(installed)} ${file}` : null),
  filesRunBy: ([program = '', ...args]) => {
    const at = args.findIndex((arg) => arg === '-m' || !arg.startsWith('-'));
    const named = args[at === -1 ? args.length : at] ?? '';
    if (!NAMES.includes(program)) return [];
    if (named !== '-m') return owns(named) ? [named] : [];
    const module = (args[at + 1] ?? '').replaceAll('.', '/');
    return module === '' ? [] : [`${module}/__main__.py`, `${module}.py`];
  },
  evaluates: (file) => {
    const module = importable(file);
    return module === null
      ? null
      : (call, installed) => `${commandName(installed)} ${evaluation(module, call)}`;
  },
  testRun,
  testPrograms,
  namingVariables: () => ({ PYTEST_ADDOPTS: '-rap' }),
  planWords: (installed) => planWords(installed),
};

function notes(installed: Installed): string {
  const python = nameOf(installed);
  if (python === null) return 'Python is not installed here: its files can be written but not run.';
  const program = 'Python: a program is one file NAME.py that runs its main function at the end';
  const layout = 'a package is a folder NAME with NAME/__init__.py';
  const tests = installed.has('pytest')
    ? `tests are functions test_... in a file test_NAME.py that imports what it tests, run by: ${python} -m pytest -q; an expected error is tested by: with pytest.raises(ValueError): CALL`
    : `tests are methods test_... of a unittest.TestCase in a file test_NAME.py that imports what it tests, run by: ${python} -m unittest; an expected error is tested by: with self.assertRaises(ValueError): CALL; pytest is not installed`;
  return `${program}, run by: ${python} NAME.py; ${layout}; ${tests}`;
}

/** By itself unittest finds only test*.py in the folder in which it starts. */
function testRun(tests: readonly string[], installed: Installed): TestRun | null {
  if (!tests.some(isTest)) return null;
  const python = commandName(installed);
  if (usesPytest(installed)) return { cmd: `${python} -m pytest -q` };
  const areFound = tests.every((path) => /^test[^/]*\.py$/.test(path));
  const cmd = [python, '-m', 'unittest', ...(areFound ? [] : tests)].join(' ');
  return { cmd };
}

/** In plans the usual name: a command that cannot run is corrected when the plan is read. */
const planWords = (installed: Installed): PlanWords => ({
  file: (stem) => `${stem}.py`,
  test: (stem) => `test_${stem}.py`,
  run: (file) => `python ${file}`,
  testRun: usesPytest(installed) ? 'python -m pytest -q' : 'python -m unittest',
});

const MODULE = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/** The module name of a file; `null` if Python's `import` cannot name it. */
const importable = (file: string): string | null =>
  owns(file) && MODULE.test(moduleOf(file)) ? moduleOf(file) : null;

/** Single quotes, in which no character has another meaning: the code itself contains none. */
function evaluation(module: string, { name, args, gives }: DescribedCall): string {
  const call = `${name}(${args.map(literal).join(', ')})`;
  const code = `import sys; from ${module} import ${name}; v = ${call}; print("gives", repr(v)); sys.exit(not v == ${literal(gives)})`;
  return `-c '${code}'`;
}

const WORDS = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

function literal(value: unknown): string {
  const word = WORDS.get(value);
  if (word !== undefined) return word;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value ?? {})
      .map(([key, one]) => `${literal(key)}: ${literal(one)}`)
      .join(', ')}}`;
  return JSON.stringify(value).replaceAll("'", '\\u0027');
}
