import { describe, expect, it } from 'vitest';
import type { CommandSeen, KnownNames } from '../../src/languages/command-seen.ts';
import { asksForInput, commandHint } from '../../src/languages/hints.ts';

/** The outputs below were printed by Python 3.11, pytest 9.2, ruff 0.15, Node 20 and npm 10. */

const nothing: KnownNames = { definitions: [], files: [] };
const project: KnownNames = {
  definitions: [
    { name: 'add', file: 'mathx/core.py' },
    { name: 'sub', file: 'mathx/core.py' },
    { name: 'twice', file: 'a.py' },
    { name: 'twice', file: 'b.py' },
    { name: 'draw', file: 'lib/board.mjs' },
  ],
  files: [
    'a.py',
    'b.py',
    'mathx/__init__.py',
    'mathx/core.py',
    'tests/test_core.py',
    'lib/board.mjs',
  ],
};

const seen = (program: string, output: string, more: Partial<CommandSeen> = {}): CommandSeen => ({
  program,
  args: [],
  kind: 'exited',
  exitCode: 1,
  timeoutSec: 120,
  output,
  stdinGiven: false,
  unexpanded: [],
  ...more,
});

const TRACE =
  'Traceback (most recent call last):\n  File "/home/me/ws/ask.py", line 5, in <module>\n    main()\n';

const EOF_ERROR = `Welcome
Your choice: ${TRACE}  File "/home/me/ws/ask.py", line 3, in main
    x = input("Your choice: ")
        ^^^^^^^^^^^^^^^^^^^^^^
EOFError: EOF when reading a line
`;

const PYTEST_NONE = `============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0
rootdir: /home/me/ws
collected 0 items

============================ no tests ran in 0.01s =============================
`;

const PYTEST_STDIN = `==================================== ERRORS ====================================
________________________ ERROR collecting test_game.py _________________________
test_game.py:1: in <module>
    import game
game.py:1: in <module>
    x=input("n? ")
E   OSError: pytest: reading from stdin while output is captured!  Consider using \`-s\`.
------------------------------- Captured stdout --------------------------------
n? 
1 error in 0.26s
`;

const PYTEST_NAME = `F                                                                        [100%]
=================================== FAILURES ===================================
    def test_y():
>       assert add(1,2)==3
               ^^^
E       NameError: name 'add' is not defined

test_y.py:2: NameError
=========================== short test summary info ============================
FAILED test_y.py::test_y - NameError: name 'add' is not defined
`;

const PYTEST_MODULE = `ImportError while importing test module '/home/me/ws/tests/test_z.py'.
Hint: make sure your test modules/packages have valid Python names.
Traceback:
tests/test_z.py:1: in <module>
    from core import add
E   ModuleNotFoundError: No module named 'core'
`;

const NODE_TRACE =
  '    at Module._compile (node:internal/modules/cjs/loader:1521:14)\n\nNode.js v20.20.2\n';

const hintOf = (one: CommandSeen, known: KnownNames = nothing): string =>
  commandHint(one, known) ?? '';

describe('hints for Python and pytest', () => {
  it('a program that asks for input: give stdin', () => {
    expect(hintOf(seen('python', EOF_ERROR))).toContain('Run it again with stdin');
    expect(hintOf(seen('python', EOF_ERROR, { stdinGiven: true }))).toContain(
      'more input than stdin gave',
    );
  });

  it('shows the prompts of the program itself, on whichever side of the traceback they came', () => {
    expect(asksForInput(seen('python', EOF_ERROR))).toBe('Welcome\nYour choice:');
    const late = `${EOF_ERROR.replace('Welcome\nYour choice: ', '')}Welcome\nYour choice: `;
    expect(asksForInput(seen('python', late))).toBe('Welcome\nYour choice:');
    expect(asksForInput(seen('python', 'Choice: Error: EOF when reading a line\n'))).toContain(
      'Choice:',
    );
    expect(asksForInput(seen('python', 'Choice: 3\n', { exitCode: 0 }))).toBeNull();
    expect(
      asksForInput(seen('python', `Too low!\n${EOF_ERROR.slice(EOF_ERROR.indexOf('Traceback'))}`)),
    ).toBe('Too low!\n');
    expect(asksForInput(seen('python', EOF_ERROR.slice(EOF_ERROR.indexOf('Traceback'))))).toBe('');
  });

  it('node that ends behind its question asked for input', () => {
    expect(asksForInput(seen('node', 'Name? ', { exitCode: 0 }))).toBe('Name?');
    expect(asksForInput(seen('node', 'Name? ', { exitCode: 13 }))).toBe('Name?');
    expect(hintOf(seen('node', 'Name? ', { exitCode: 13 }))).toContain('stdin');
    expect(asksForInput(seen('node', 'Total: 7', { exitCode: 0 }))).toBeNull();
    expect(asksForInput(seen('node', 'Done:\n', { exitCode: 0 }))).toBeNull();
  });

  it('no tests found: how tests are named', () => {
    expect(hintOf(seen('pytest', PYTEST_NONE, { exitCode: 5 }))).toContain('test_NAME.py');
    const module = seen('python', PYTEST_NONE, { exitCode: 5, args: ['-m', 'pytest'] });
    expect(hintOf(module)).toContain('test_NAME.py');
    const gone = 'no tests ran in 0.00s\nERROR: file or directory not found: gone.py\n';
    expect(hintOf(seen('pytest', gone, { exitCode: 4 }))).toContain('do not exist');
  });

  it('input under pytest: keep it out of imports', () => {
    expect(hintOf(seen('pytest', PYTEST_STDIN, { exitCode: 2 }))).toContain(
      "if __name__ == '__main__'",
    );
  });

  it('an undefined name: the exact import line when one file here defines it', () => {
    expect(hintOf(seen('pytest', PYTEST_NAME), project)).toBe(
      'Add this line at the top of test_y.py: from mathx.core import add',
    );
    const plain = `${TRACE.replace('ask.py', 'ne.py')}NameError: name 'add' is not defined\n`;
    expect(hintOf(seen('python', plain), project)).toBe(
      'Add this line at the top of ne.py: from mathx.core import add',
    );
  });

  it('an undefined name that nothing or two files define: no guess', () => {
    const two = `${TRACE}NameError: name 'twice' is not defined\n`;
    expect(hintOf(seen('python', two), project)).not.toContain('import twice');
    expect(hintOf(seen('python', two), nothing)).toContain('twice is not defined in ask.py');
  });

  it('a module that is not there: the name it has here, or the standard library', () => {
    expect(hintOf(seen('pytest', PYTEST_MODULE, { exitCode: 2 }), project)).toContain(
      'mathx/core.py is here: import it as mathx.core',
    );
    const foreign = `${TRACE}ModuleNotFoundError: No module named 'requests'\n`;
    expect(hintOf(seen('python', foreign), project)).toContain('standard library');
    const own = `${TRACE}ModuleNotFoundError: No module named 'shop'\n`;
    const withPackage = { ...project, files: [...project.files, 'shop/__init__.py'] };
    expect(hintOf(seen('python', own), withPackage)).toContain('python -m FOLDER.NAME');
    const inner = `${TRACE}ModuleNotFoundError: No module named 'mathx.geometry'\n`;
    expect(hintOf(seen('python', inner), project)).toContain('holds no geometry.py');
    expect(hintOf(seen('python', '/usr/bin/python3: No module named gone\n'))).toContain(
      'There is no gone',
    );
  });

  it('a name that cannot be imported: where it is, or what the module has', () => {
    const from = (module: string, name: string): string =>
      `${TRACE}ImportError: cannot import name '${name}' from '${module}' (/home/me/ws/x.py)\n`;
    expect(hintOf(seen('python', from('mathx', 'add')), project)).toBe(
      'add is defined in mathx/core.py: from mathx.core import add',
    );
    expect(hintOf(seen('python', from('mathx.core', 'mul')), project)).toContain(
      'defines: add, sub',
    );
    const circle = `${TRACE}ImportError: cannot import name 'x' from partially initialized module 'random' (most likely due to a circular import)\n`;
    expect(hintOf(seen('python', circle))).toContain('circle');
  });

  it('a file that does not parse: its name and line', () => {
    const syntax = `  File "/home/me/ws/syn.py", line 3\n    print("hi"\n         ^\nSyntaxError: '(' was never closed\n`;
    expect(hintOf(seen('python', syntax))).toContain('syn.py, line 3, is not valid Python');
    const indent = `  File "/home/me/ws/ind.py", line 2\n    return 1\n    ^\nIndentationError: expected an indented block after function definition on line 1\n`;
    expect(hintOf(seen('python', indent))).toContain('ind.py, line 2,');
  });

  it('a file that is not there: where one of that name is', () => {
    const gone = `python3: can't open file '/home/me/ws/core.py': [Errno 2] No such file or directory\n`;
    expect(hintOf(seen('python', gone, { exitCode: 2 }), project)).toBe(
      'core.py is not there, but mathx/core.py is.',
    );
    expect(hintOf(seen('python', gone, { exitCode: 2 }))).toContain('Write it first');
  });

  it('missing arguments', () => {
    const usage =
      'usage: args.py [-h] n\nargs.py: error: the following arguments are required: n\n';
    expect(hintOf(seen('python', usage, { exitCode: 2 }))).toContain('arguments it asks for');
    const argv = `${TRACE}    print(sys.argv[1])\nIndexError: list index out of range\n`;
    expect(hintOf(seen('python', argv))).toContain('expects arguments');
  });

  it('silence of a script that ended well, but not of a checker', () => {
    expect(hintOf(seen('python', '', { exitCode: 0, args: ['a.py'] }))).toContain(
      'call its main function',
    );
    const known = {
      ...nothing,
      definitions: [
        { name: 'LIMIT', file: 'a.py' },
        { name: 'count', file: 'a.py' },
      ],
    };
    expect(commandHint(seen('python', '', { exitCode: 0, args: ['a.py'] }), known)).toContain(
      'the last line of a.py must be a call, such as count()',
    );
    const called = { exitCode: 0, args: ['-m', 'odd', 'sum', '1'] };
    const odd = { ...nothing, files: ['odd/__init__.py', 'odd/__main__.py'] };
    expect(commandHint(seen('python', '', called), odd)).toContain(
      'at its end __main__.py must take what it was called with from sys.argv[1:]',
    );
    expect(commandHint(seen('python', '', called), nothing)).toBeNull();
    const node = seen('node', '', { exitCode: 0, args: ['a.mjs', '3'] });
    expect(commandHint(node, nothing)).toContain(
      'a.mjs must take what it was called with from process.argv',
    );
    expect(commandHint(seen('git', '', { exitCode: 0 }), nothing)).toBeNull();
    const checked = seen('node', '', { exitCode: 0, args: ['--check', 'a.js'] });
    expect(commandHint(checked, nothing)).toBeNull();
    expect(commandHint(seen('python', 'hello\n', { exitCode: 0 }), nothing)).toBeNull();
    const asserted = seen('python', '', { exitCode: 0, args: ['-c', 'assert 1 == 1'] });
    expect(commandHint(asserted, nothing)).toBeNull();
    const evaluated = seen('node', '', { exitCode: 0, args: ['-e', 'process.exitCode = 0'] });
    expect(commandHint(evaluated, nothing)).toBeNull();
  });

  it('a time-out', () => {
    const late = seen('python', 'working\n', { kind: 'timeout', exitCode: null, timeoutSec: 5 });
    expect(hintOf(late)).toContain('within 5 s');
    expect(hintOf({ ...late, stdinGiven: true })).toContain('more lines in stdin');
  });
});

describe('hints for node, npm, ruff and git', () => {
  it('names the file and line that does not parse', () => {
    const output = `/home/me/ws/syn.js:1\nconst x = ;\n          ^\n\nSyntaxError: Unexpected token ';'\n${NODE_TRACE}`;
    expect(hintOf(seen('node', output))).toContain('syn.js, line 1, is not valid JavaScript');
  });

  it('explains modules', () => {
    const cjs = `ReferenceError: require is not defined in ES module scope, you can use import instead\n${NODE_TRACE}`;
    expect(hintOf(seen('node', cjs))).toContain('use import and export');
    const none = `SyntaxError: The requested module './b.mjs' does not provide an export named 'a'\n${NODE_TRACE}`;
    expect(hintOf(seen('node', none))).toContain('./b.mjs exports no a');
    const statement = `SyntaxError: Cannot use import statement outside a module\n${NODE_TRACE}`;
    expect(hintOf(seen('node', statement))).toContain('.mjs');
    const typed = seen('npx', "src/a.ts(1,20): error TS2307: Cannot find module 'h3/tools'.\n");
    expect(hintOf(typed)).toContain('There is no h3/tools here');
    expect(hintOf(typed, { ...nothing, packages: ['h3'] })).toBe('');
    expect(hintOf(typed, { ...nothing, packages: ['h'] })).toContain('There is no h3/tools here');
    const gone = `Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'nope' imported from /home/me/ws/ni.mjs\n`;
    expect(hintOf(seen('node', gone))).toContain('There is no nope here');
  });

  it('names the file that exports an undefined name', () => {
    const output = `/home/me/ws/ne.js:1\ndraw();\n^\n\nReferenceError: draw is not defined\n${NODE_TRACE}`;
    expect(hintOf(seen('node', output), project)).toContain(
      "import { draw } from './lib/board.mjs'",
    );
  });

  it('knows a script file that is missing', () => {
    const output = `Error: Cannot find module '/home/me/ws/gone.js'\n${NODE_TRACE}`;
    expect(hintOf(seen('node', output))).toContain('gone.js does not exist');
  });

  it('knows npm without the script or without package.json', () => {
    expect(hintOf(seen('npm', 'npm error Missing script: "lint"\n'))).toContain('Add "lint"');
    const none = 'npm error enoent Could not read package.json: Error: ENOENT\n';
    expect(hintOf(seen('npm', none, { exitCode: 254 }))).toContain('Write package.json first');
  });

  it('repeats no finding of ruff, which says itself what it is and may be older than the run', () => {
    const output =
      'F401 [*] `os` imported but unused\n --> r.py:1:8\nF821 Undefined name `y`\nFound 2 errors.\n[*] 1 fixable with `--fix`.\n';
    expect(hintOf(seen('ruff', output, { args: ['check', '.'], exitCode: 1 }))).toBe('');
    const format = 'unformatted: File would be reformatted\n1 file would be reformatted\n';
    expect(hintOf(seen('ruff', format))).toContain('ruff format');
  });

  it('says that a folder is no repository', () => {
    const output = 'fatal: not a git repository (or any of the parent directories): .git\n';
    expect(hintOf(seen('git', output, { exitCode: 128 }))).toContain('without git');
  });

  it('mentions words that no shell expanded, only when the command failed', () => {
    const words = { unexpanded: ['*.py'] };
    expect(hintOf(seen('ruff', 'error', words))).toContain('*.py was passed as it stands');
    expect(commandHint(seen('ruff', 'fine', { ...words, exitCode: 0 }), nothing)).toBeNull();
  });
});

describe('a package that is not here', () => {
  const MISSING = [
    seen('python', "ModuleNotFoundError: No module named 'requests'\n"),
    seen('node', "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from a.mjs\n"),
    seen('go', 'a.go:3:8: no required module provides package example.com/zod; to add it:\n'),
  ];

  it.each(MISSING)('of $program may be installed where a person may allow it', (one) => {
    const hint = hintOf(one, { ...nothing, mayInstall: true });
    expect(hint).toContain('Where the goal needs it, install it');
    expect(hint).not.toContain('nothing can be installed');
  });

  it.each(MISSING)('of $program is done without where nobody may', (one) => {
    expect(hintOf(one)).toContain('here and nothing can be installed. Use the standard library');
  });
});
