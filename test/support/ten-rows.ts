/** What a model does with goals that are said in ten languages: the same in each. */
import type { PlannedWork } from './models.ts';
import type { ScriptedCall } from './scripted-provider.ts';
import type { GOALS } from './ten-languages.ts';

type Kind = keyof typeof GOALS;

export const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
export const read = (path: string) => call('read_file', { path });
export const write = (path: string, content: string) => call('write_file', { path, content });
const cmd = (line: string) => call('run_cmd', { cmd: line });
export const DONE = call('mark_subtask_complete', { success: true, reason: 'it is done' });
const plan = (proof: string | null) =>
  call('set_plan', {
    tasks: [{ description: 'work', subtasks: [{ do: 'the work' }] }],
    ...(proof === null ? {} : { proof: { cmd: proof } }),
  });

export const FILES = {
  'config.yml': 'name: demo\nport: 8080\n',
  'data.csv': '1\n2\n3\n',
  'names.txt': 'Cid\nAnn\nBob\n',
  'old.txt': 'old\n',
  'hello.mjs': 'console.log("ho");\n',
  'hello.test.mjs': 'throw new Error("hi is wanted");\n',
};
export const HI = 'console.log("hi");\n';
const ADD = 'export const add = (a, b) => a + b;\n';
const ADD_TEST =
  "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from './calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n";

type Reply = string | readonly ScriptedCall[];

export interface Row {
  readonly kind: Kind;
  readonly what: string;
  /** Files that are there; the others of `FILES` are not. */
  readonly files: readonly (keyof typeof FILES)[];
  /** What a model says that leads, and then for ever its last. */
  readonly free?: readonly Reply[];
  /** What one says that is led. */
  readonly guided?: PlannedWork;
  /** How it reads the goal, where it is asked for that. */
  readonly brief?: object;
}

const sub = (action: string, file: string, purpose = 'it is needed') =>
  action === 'run_cmd' ? { action, cmd: file, purpose } : { action, file, purpose };

export const ROWS: readonly Row[] = [
  ...(['asks', 'asksPolitely'] as const).map(
    (kind): Row => ({
      kind,
      what: 'is answered after a look',
      files: ['config.yml'],
      free: [[read('config.yml')], '8080'],
      guided: { subtasks: [sub('read_file', 'config.yml')], answer: '8080' },
    }),
  ),
  {
    kind: 'asks',
    what: 'is answered after a look, with a proof that nobody needs',
    files: ['config.yml'],
    guided: {
      subtasks: [sub('read_file', 'config.yml')],
      verify: { cmd: 'cat config.yml' },
      answer: '8080',
    },
  },
  {
    kind: 'asks',
    what: 'is about a file that is not there',
    files: [],
    free: [[read('config.yml')], 'There is no config.yml.'],
    guided: { subtasks: [sub('read_file', 'config.yml')], answer: 'There is none.' },
  },
  {
    kind: 'asks',
    what: 'is answered without a look',
    files: ['config.yml'],
    free: ['8080'],
  },
  {
    kind: 'makes',
    what: 'is planned, done and shown',
    files: [],
    free: [[plan('node hello.mjs'), write('hello.mjs', HI), DONE], 'It is done.'],
    guided: {
      subtasks: [sub('write_file', 'hello.mjs')],
      verify: { cmd: 'node hello.mjs' },
      files: { 'hello.mjs': [HI] },
    },
  },
  {
    kind: 'makes',
    what: 'is done without a plan',
    files: [],
    free: [[write('hello.mjs', HI)], 'It is done.'],
  },
  {
    kind: 'makes',
    what: 'is planned as a look alone',
    files: ['data.csv'],
    guided: { subtasks: [sub('read_file', 'data.csv')], answer: 'It is made.' },
  },
  {
    kind: 'makes',
    what: 'is planned with tests that nobody asked for',
    files: [],
    guided: {
      subtasks: [sub('write_file', 'hello.mjs'), sub('write_file', 'hello.test.mjs')],
      verify: { cmd: 'node --test' },
      files: { 'hello.mjs': [HI], 'hello.test.mjs': [ADD_TEST.replaceAll('calc', 'hello')] },
    },
  },
  {
    kind: 'quotes',
    what: 'is shown to print it',
    files: [],
    free: [
      [
        call('set_plan', {
          tasks: [{ description: 'work', subtasks: [{ do: 'the work' }] }],
          proof: { cmd: 'node hello.mjs', prints: 'Hello, world' },
        }),
        write('hello.mjs', 'console.log("Hello, world");\n'),
        DONE,
      ],
      'It is done.',
    ],
    guided: {
      subtasks: [sub('write_file', 'hello.mjs')],
      verify: { cmd: 'node hello.mjs', prints: 'Hello, world' },
      files: { 'hello.mjs': ['console.log("Hello, world");\n'] },
    },
  },
  {
    kind: 'reads',
    what: 'is made beside the file that it reads',
    files: ['data.csv'],
    free: [[read('data.csv'), plan('node total.mjs'), write('total.mjs', HI), DONE], 'Done.'],
    guided: {
      subtasks: [sub('read_file', 'data.csv'), sub('write_file', 'total.mjs')],
      verify: { cmd: 'node total.mjs' },
      files: { 'total.mjs': [HI] },
    },
  },
  {
    kind: 'reads',
    what: 'is planned with work on what it is only to read',
    files: ['data.csv'],
    guided: {
      subtasks: [sub('write_file', 'total.mjs'), sub('write_file', 'data.csv')],
      verify: { cmd: 'node total.mjs' },
      files: { 'total.mjs': [HI], 'data.csv': ['1\n2\n3\n4\n'] },
    },
  },
  {
    kind: 'reads',
    what: 'is planned with the look at what is not there',
    files: [],
    guided: {
      subtasks: [sub('read_file', 'data.csv'), sub('write_file', 'total.mjs')],
      verify: { cmd: 'node total.mjs' },
      files: { 'total.mjs': [HI] },
    },
  },
  {
    kind: 'tested',
    what: 'is planned with its tests',
    files: [],
    brief: { asks_for: 'work', examples: [], keep: [], tests: 1 },
    free: [
      [plan('node --test'), write('calc.mjs', ADD), write('calc.test.mjs', ADD_TEST), DONE],
      'Done.',
    ],
    guided: {
      subtasks: [sub('write_file', 'calc.mjs', 'add(a, b)'), sub('write_file', 'calc.test.mjs')],
      verify: { cmd: 'node --test' },
      files: { 'calc.mjs': [ADD], 'calc.test.mjs': [ADD_TEST] },
    },
  },
  {
    kind: 'tested',
    what: 'is planned without tests',
    files: [],
    brief: { asks_for: 'work', examples: [], keep: [], tests: 1 },
    guided: {
      subtasks: [sub('write_file', 'calc.mjs', 'add two numbers')],
      verify: { cmd: 'node calc.mjs' },
      files: { 'calc.mjs': [ADD], 'calc.test.mjs': [ADD_TEST] },
    },
  },
  {
    kind: 'sorts',
    what: 'is planned as a look at the file',
    files: ['names.txt'],
    guided: {
      subtasks: [sub('read_file', 'names.txt')],
      files: { 'names.txt': ['Ann\nBob\nCid\n'] },
      answer: 'Ann, Bob, Cid',
    },
  },
  {
    kind: 'sorts',
    what: 'is done',
    files: ['names.txt'],
    free: [[read('names.txt')], [plan(null), write('names.txt', 'Ann\nBob\nCid\n'), DONE], 'Done.'],
    guided: {
      subtasks: [sub('write_file', 'names.txt')],
      files: { 'names.txt': ['Ann\nBob\nCid\n'] },
    },
  },
  {
    kind: 'removes',
    what: 'is done by a tool',
    files: ['old.txt', 'names.txt'],
    free: [[plan(null), call('delete_file', { path: 'old.txt' }), DONE], 'Done.'],
  },
  {
    kind: 'removes',
    what: 'goes beyond what was said',
    files: ['old.txt', 'names.txt'],
    free: [
      [
        plan(null),
        call('delete_file', { path: 'old.txt' }),
        call('delete_file', { path: 'names.txt' }),
        DONE,
      ],
      'Done.',
    ],
  },
  {
    kind: 'keeps',
    what: 'is done as it was said',
    files: ['hello.mjs', 'names.txt'],
    free: [
      [read('hello.mjs'), plan('node hello.mjs')],
      [write('hello.mjs', HI), DONE],
      'It is done.',
    ],
    guided: {
      subtasks: [sub('write_file', 'hello.mjs')],
      verify: { cmd: 'node hello.mjs' },
      files: { 'hello.mjs': [HI] },
    },
  },
  {
    kind: 'keeps',
    what: 'removes what was to stay',
    files: ['hello.mjs', 'names.txt'],
    free: [
      [
        plan('node hello.mjs'),
        write('hello.mjs', HI),
        call('delete_file', { path: 'names.txt' }),
        DONE,
      ],
      'Done.',
    ],
    guided: {
      subtasks: [sub('write_file', 'hello.mjs'), sub('write_file', 'names.txt')],
      verify: { cmd: 'node hello.mjs' },
      files: { 'hello.mjs': [HI], 'names.txt': ['Cid\nAnn\n'] },
    },
  },
  {
    kind: 'mends',
    what: 'is looked at before a plan',
    files: ['hello.mjs', 'hello.test.mjs'],
    free: [[cmd('node hello.mjs'), plan('node hello.mjs'), write('hello.mjs', HI), DONE], 'Done.'],
    guided: {
      subtasks: [sub('write_file', 'hello.mjs')],
      verify: { cmd: 'node hello.mjs' },
      files: { 'hello.mjs': [HI] },
    },
  },
];
