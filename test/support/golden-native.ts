/** Golden runs of native mode alone: what tools say to calls that are wrong, or go wrong. */
import type { GoldenScenario } from './golden-requests.ts';
import { call, calls, done, GREETS, inTurns, run, runs, write, writes } from './golden-scripts.ts';
import type { PlannedWork } from './models.ts';

const GREETING: PlannedWork = {
  subtasks: [writes('hello.py', 'prints hello')],
  verify: { cmd: 'python hello.py', prints: 'hello' },
};

const HELLO = write('hello.py', 'print("hello")\n');

const edit = (path: string, old_text: string, new_text: string) =>
  calls(call('edit_file', { path, old_text, new_text }));

/** What programs print, by their first argument. */
const OUTPUTS: { readonly [name: string]: readonly [output: string, exitCode: number] } = {
  'asks.py': ['Your name? \nEOFError: EOF when reading a line\n', 1],
  'module.py': ["ModuleNotFoundError: No module named 'numpy'\n", 1],
  'own.py': ["ModuleNotFoundError: No module named 'hello'\n", 1],
  'syntax.py': ['  File "syntax.py", line 3\n    def (\nSyntaxError: invalid syntax\n', 1],
  'name.py': ['  File "name.py", line 1\nNameError: name \'shout\' is not defined\n', 1],
  'silent.py': ['', 0],
  'arguments.py': ['  sys.argv[1]\nIndexError: list index out of range\n', 1],
  'loud.mjs': ['ReferenceError: require is not defined in ES module scope\n', 1],
  'gone.mjs': ["Error: Cannot find module '/ws/gone.mjs'\n", 1],
  '-m': ['no tests ran in 0.01s\n', 5],
  check: [
    'hello.py:1:1: F401 [*] `os` imported but unused\nFound 1 error.\n[*] 1 fixable with the `--fix` option.\n',
    1,
  ],
  'long.py': [`${'a line that is long enough to be cut somewhere\n'.repeat(400)}the end\n`, 0],
};

export const NATIVE: readonly GoldenScenario[] = [
  {
    name: 'edit-file',
    mode: 'native',
    goal: GREETS,
    files: { 'hello.py': 'def greet():\n    return 1\n\n\ngreet()\n' },
    script: () =>
      inTurns({ ...GREETING, subtasks: [{ ...GREETING.subtasks[0], action: 'edit_file' }] }, [
        calls(call('read_file', { path: 'hello.py' })),
        edit('hello.py', 'def great():', 'def hello():'),
        edit('hello.py', 'greet()', 'print("hello")'),
        edit('hello.py', 'greet()\n', 'print("hello")\n'),
        edit('hello.py', '\n\ngreet()\n', '\n\nprint("hello")\n'),
        edit('nowhere.py', 'a', 'b'),
      ]),
    ends: 'achieved',
    shows: ['edit_file'],
  },
  {
    name: 'recovered-call',
    mode: 'native',
    goal: GREETS,
    script: () =>
      inTurns(GREETING, [
        `I will write it.\n\n\`\`\`json\n${JSON.stringify({ name: 'write_file', arguments: HELLO.args })}\n\`\`\``,
        '<tool_call>\n{"name": "run_cmd", "arguments": {"cmd": "python hello.py"}}\n</tool_call>',
      ]),
    ends: 'achieved',
    shows: ['Wrote 15 chars to hello.py', 'exit code 0'],
  },
  {
    name: 'completion-without-evidence',
    mode: 'native',
    goal: GREETS,
    script: () =>
      inTurns(GREETING, [
        calls(done()),
        calls(call('list_dir', { path: '.' })),
        calls(done()),
        calls(done()),
        calls(HELLO, done(), call('list_dir', { path: '.' })),
      ]),
    ends: 'achieved',
    shows: ['hello.py was neither written nor read', 'Not done yet'],
  },
  {
    name: 'refused-calls',
    mode: 'native',
    goal: GREETS,
    files: { 'notes.txt': 'one\ntwo\nthree\n', '.env': 'SECRET=1\n' },
    script: () =>
      inTurns(GREETING, [
        calls(run('sudo ls')),
        calls(run('ls | wc -l')),
        calls(run('rm -rf /')),
        calls(run('git push --force')),
        calls(run('make all')),
        calls(run('python -c "print(1)"')),
        calls(call('read_file', { path: '../outside.txt' })),
        calls(call('read_file', { path: 'note.txt' })),
        calls(call('read_file', { path: 'notes.txt', start_line: 2, end_line: 2 })),
        calls(write('.agent_context/state.json', '{}')),
        calls(write('.git/config', 'x')),
        calls(call('writeFile', { file: 'hello.py', text: 'print("hello")\n' })),
        calls(call('write_file', { path: 'hello.py' })),
        calls(call('list_dir', { path: 'nowhere' })),
        calls(run('sudo ls'), call('list_dir', { path: '.' })),
        calls(HELLO),
      ]),
    ends: 'achieved',
    shows: ['sudo', 'notes.txt'],
  },
  {
    name: 'hints-after-commands',
    mode: 'native',
    goal: GREETS,
    files: { 'words.py': 'old' },
    program: (_, args) => {
      const [output, exitCode] = OUTPUTS[args[0] ?? ''] ?? [];
      return output === undefined || exitCode === undefined ? null : { output, exitCode };
    },
    script: () =>
      inTurns({ ...GREETING, subtasks: [...GREETING.subtasks, runs('python hello.py', 'shows')] }, [
        calls(write('words_of_mine.py', 'def shout(text):\n    return text\n')),
        calls(HELLO),
        calls(run('python asks.py')),
        calls(run('python asks.py', { stdin: 'Ada\n' })),
        calls(run('python module.py')),
        calls(run('python own.py')),
        calls(run('python syntax.py'), run('python name.py')),
        calls(run('python silent.py')),
        calls(run('python arguments.py')),
        calls(run('node loud.mjs')),
        calls(run('node gone.mjs')),
        calls(run('python -m pytest -q')),
        calls(run('ruff check *.py')),
        calls(run('python long.py')),
      ]),
    ends: 'achieved',
    shows: ['words_of_mine', 'The program asks for input'],
  },
];
