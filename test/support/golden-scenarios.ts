/** The whole runs whose requests are kept: both modes, and every way a run may go. */
import type { ToolMode } from '../../src/schema/records.ts';
import { FOLDER, GAME, HELLO, MATHX } from './e2e-goals.ts';
import { DETOURS } from './golden-detours.ts';
import { NATIVE } from './golden-native.ts';
import type { GoldenScenario } from './golden-requests.ts';
import { firstAnswers, GREETS, reads, runs, writes } from './golden-scripts.ts';
import { TRIES } from './golden-tries.ts';
import { diligentModel, type PlannedWork, planJson, workingModel } from './models.ts';

type Planned = Omit<GoldenScenario, 'mode' | 'shows'> & { readonly shows?: readonly string[] };

/** The same run in both modes. */
const inBoth = (planned: Planned, shows: Partial<Record<ToolMode, readonly string[]>> = {}) =>
  (['native', 'json'] as const).map(
    (mode): GoldenScenario => ({
      ...planned,
      mode,
      shows: [...(planned.shows ?? []), ...(shows[mode] ?? [])],
    }),
  );

const works = (work: PlannedWork) => () => workingModel(work);

const GREETING: PlannedWork = {
  subtasks: [writes('hello.py', 'prints hello')],
  verify: { cmd: 'python hello.py', prints: 'hello' },
  files: { 'hello.py': ['print("hello")\n'] },
};

const TESTED: PlannedWork = {
  subtasks: [writes('greet.py', 'greets'), writes('test_greet.py', 'tests greet')],
  files: {
    'greet.py': ['def greet(name):\n    return f"Hello, {name}"\n'],
    'test_greet.py': ['from greet import greet\n\n\ndef test_greet():\n    assert greet("Ada")\n'],
  },
};

const UNIT_TESTS = `import unittest

from mathx.core import add


class AddTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 3), 5)
`;

const SHOUT: PlannedWork = {
  subtasks: [
    writes('words.py', 'has the function shout'),
    writes('main.py', 'shouts'),
    runs('python main.py', 'shows that it shouts'),
  ],
  verify: { cmd: 'python main.py', prints: 'HELLO' },
  files: {
    'main.py': ['raise NameError("name \'shout\' is not defined")\n', 'print("HELLO")\n'],
    'words.py': ['def shout(text):\n    return text.upper()\n'],
  },
};

const DATA: PlannedWork = {
  subtasks: [
    writes('data.json', 'holds the prices'),
    writes('prices.mjs', 'exports total(prices)'),
    writes('main.mjs', 'prints the sum of the prices'),
    writes('prices.test.mjs', 'tests total'),
    runs('node main.mjs', 'shows the sum'),
  ],
  verify: { cmd: 'node main.mjs', prints: '42' },
  files: {
    'data.json': ['{"apple": 40, "pear": 2,}\n', '{"apple": 40, "pear": 2}\n'],
    'prices.mjs': ['export function total(prices) {\n  return Object.values(prices).length;\n}\n'],
    'main.mjs': [
      'import { total } from \'./price.mjs\';\nconsole.log("42");\n',
      'console.log("42");\n',
    ],
    'prices.test.mjs': [
      "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { total } from './prices.mjs';\ntest('sum', () => { assert.equal(total({ a: 1 }), 1); });\n",
    ],
  },
};

const PLAIN: readonly GoldenScenario[] = [
  ...inBoth({ name: 'hello', goal: HELLO.goal, script: works(HELLO), ends: 'achieved' }),
  ...inBoth({
    name: 'without-python',
    goal: 'Write a hello world script in Python',
    installed: ['node'],
    script: () => diligentModel(GREETING),
    ends: 'unverified',
    shows: ['Python is not installed here'],
  }),
  ...inBoth({
    name: 'package-unittest',
    goal: MATHX.goal,
    installed: ['python'],
    script: works({
      ...MATHX,
      subtasks: MATHX.subtasks.slice(0, 3),
      files: { ...MATHX.files, 'tests/test_mathx.py': [UNIT_TESTS] },
    }),
    program: (_, args) =>
      args[1] === 'unittest'
        ? { output: '...\nRan 3 tests in 0.001s\n\nOK\n', exitCode: 0 }
        : { output: `No module named ${args[1]}\n`, exitCode: 1 },
    ends: 'achieved',
    shows: ['unittest.TestCase', 'python -m unittest'],
  }),
  ...inBoth({
    name: 'package-with-tests',
    goal: MATHX.goal,
    script: works(MATHX),
    program: (_, args) =>
      args[0] === 'check'
        ? { output: 'All checks passed!\n', exitCode: 0 }
        : { output: '...   [100%]\n3 passed in 0.01s\n', exitCode: 0 },
    ends: 'achieved',
    shows: ['python -m pytest -q'],
  }),
  ...inBoth(
    {
      name: 'game-with-typed-input',
      goal: GAME.goal,
      script: works(GAME),
      program: (_, __, stdin) =>
        stdin === 'rock\nquit\n'
          ? { output: 'You chose rock, I chose paper. You lose!\nGoodbye!\n', exitCode: 0 }
          : { output: 'Your move: \nEOFError: EOF when reading a line\n', exitCode: 1 },
      ends: 'achieved',
    },
    {},
  ),
  ...inBoth({
    name: 'javascript-with-data',
    goal: 'Write a JavaScript program that prints the sum of prices, with tests',
    script: works(DATA),
    ends: 'achieved',
    shows: ['data.json'],
  }),
  ...inBoth({
    name: 'question-answered-by-reading',
    goal: FOLDER.goal,
    files: { 'apples.txt': 'red\nand round\n', 'pears.txt': 'green\n' },
    script: works({
      ...FOLDER,
      subtasks: [...FOLDER.subtasks, reads('apples.txt', 'look into it')],
    }),
    ends: 'answered',
    shows: ['and round'],
  }),
];

const REPAIRED: readonly GoldenScenario[] = [
  ...inBoth(
    {
      name: 'repair-after-a-failing-command',
      goal: 'Write a program that shouts HELLO',
      script: works(SHOUT),
      ends: 'achieved',
      shows: ['is not defined'],
    },
    { json: ['This command failed: python main.py'] },
  ),
  ...inBoth({
    name: 'failed-proof',
    goal: GREETS,
    script: works({
      ...GREETING,
      files: { 'hello.py': ['print("goodbye")\n', 'print("hello")\n'] },
    }),
    ends: 'achieved',
    shows: ['did not print'],
  }),
  ...inBoth({
    name: 'proof-that-never-passes',
    goal: GREETS,
    script: works({ ...GREETING, files: { 'hello.py': ['raise ValueError("goodbye")\n'] } }),
    ends: 'failed',
    shows: ['ValueError: goodbye'],
  }),
  ...inBoth(
    {
      name: 'content-with-problems',
      goal: GREETS,
      script: works({
        ...GREETING,
        files: {
          'hello.py': ['print(\n', 'def hello(:\n', 'print("hello")\n'],
        },
      }),
      ends: 'achieved',
      shows: ['was never closed'],
    },
    {},
  ),
  ...inBoth(
    {
      name: 'refused-plan-then-a-good-one',
      goal: 'Write greet.py with tests',
      script: () =>
        firstAnswers(TESTED, {
          plan: [
            planJson({
              subtasks: [writes('greet.py', 'greets')],
              verify: { cmd: 'python -m pytest' },
            }),
            planJson({
              subtasks: [writes('greet.py', 'greets'), writes('test_greet.py', 'tests greet')],
              verify: { cmd: 'python -m pytest -q' },
            }),
          ],
        }),
      program: (_, args) =>
        args[0] === '-m' ? { output: '1 passed in 0.01s\n', exitCode: 0 } : null,
      ends: 'achieved',
    },
    { json: ['No subtask writes the tests'] },
  ),
  ...inBoth(
    {
      name: 'refused-plans-then-the-goal-alone',
      goal: GREETS,
      script: () =>
        firstAnswers(GREETING, { plan: ['First of all: a file.', '{"tasks": []}', '{}'] }),
      ends: 'unverified',
    },
    { json: ['Answer with one JSON object'], native: ['There is no plan yet'] },
    // A text where nothing was changed is an answer.
  ).map((scenario) => (scenario.mode === 'native' ? { ...scenario, ends: 'answered' } : scenario)),
  ...inBoth({
    name: 'refused-command-in-the-plan',
    goal: GREETS,
    script: () =>
      firstAnswers(GREETING, {
        plan: [planJson({ ...GREETING, subtasks: [runs('sudo rm -rf /', 'makes room')] })],
      }),
    ends: 'achieved',
    shows: ['sudo'],
  }),
];

export const SCENARIOS: readonly GoldenScenario[] = [
  ...PLAIN,
  ...REPAIRED,
  ...DETOURS,
  ...NATIVE,
  ...TRIES,
];
