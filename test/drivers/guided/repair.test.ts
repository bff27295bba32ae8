/** State -> next step, after a command that failed or asked its user. */
import { describe, expect, it } from 'vitest';
import { guided } from '../../../src/drivers/guided/guided.ts';
import type { InvolvedFile } from '../../../src/schema/actions.ts';
import { next } from '../../../src/steps/next.ts';
import type { Row } from '../../steps/shared-steps.ts';
import {
  action,
  active,
  claim,
  command,
  counters,
  failed,
  file,
  planOf,
  round,
  WRITE,
} from '../../support/run-state.ts';
import { doing, failing, inRepair, WRITTEN, working } from './states.ts';

const offered = (...path: readonly string[]) => ({
  do: 'ask' as const,
  cause: 'repair_question' as const,
  question: {
    kind: 'action' as const,
    open: [{ does: 'writes_whole_files' as const, choices: { path }, only: ['path'] }],
  },
});
const OTHER = file({ defines: ['other()'] });
const tests = failed('node --test');
const NO_TESTS = { head: 'no tests were found', testsRan: 'none' as const };
const repairs: readonly Row[] = [
  ['a failed command', failing(), { do: 'open_round', origin: 'repair', calls: [] }],
  [
    'its round: the repair is asked for beside the conversation',
    failing({ round: round({ origin: 'repair' }) }),
    { do: 'open_branch', why: 'repair after node hello.mjs' },
  ],
  ['the branch for it', failing(inRepair), offered('hello.mjs')],
  [
    'two files it may lie in',
    failing({ ...inRepair, files: { 'other.mjs': OTHER, 'hello.mjs': file() } }),
    offered('hello.mjs', 'other.mjs'),
  ],
  [
    'a test that was there: it is not mended',
    failing({
      ...inRepair,
      files: { 'other.test.mjs': file({ given: 'as it was' }), 'hello.mjs': file() },
    }),
    offered('hello.mjs'),
  ],
  [
    'one that has problems: the fault is looked for there',
    failing({
      ...inRepair,
      files: { 'other.mjs': file({ problems: ['line 1: no'] }), 'hello.mjs': file() },
    }),
    offered('other.mjs'),
  ],
  [
    'data beside code',
    failing({ ...inRepair, commands: [tests], files: { 'a.json': file(), 'hello.mjs': file() } }),
    offered('hello.mjs'),
  ],
  [
    'data that the command names',
    failing({
      ...inRepair,
      commands: [failed('node hello.mjs a.json')],
      files: { 'a.json': file(), 'hello.mjs': file() },
    }),
    offered('a.json', 'hello.mjs'),
  ],
  [
    "a package's marker beside code",
    failing({
      ...inRepair,
      commands: [tests],
      files: { 'm/__init__.py': file(), 'hello.mjs': OTHER },
    }),
    offered('hello.mjs'),
  ],
  [
    'a package that holds code itself',
    failing({
      ...inRepair,
      commands: [tests],
      files: { 'm/__init__.py': OTHER, 'hello.mjs': OTHER },
    }),
    offered('hello.mjs', 'm/__init__.py'),
  ],
  [
    'a file that was mended twice',
    failing({
      ...inRepair,
      active: active({ repairs: { 'hello.mjs': 2 } }),
      files: { 'other.mjs': OTHER, 'hello.mjs': file() },
    }),
    offered('other.mjs'),
  ],
  [
    'a file that came back as it was',
    failing({
      ...inRepair,
      active: active({ unchangedAfterRepair: ['hello.mjs'] }),
      files: { 'other.mjs': OTHER, 'hello.mjs': file() },
    }),
    offered('other.mjs'),
  ],
  [
    'files that nothing of this run wrote',
    failing({ files: { 'hello.mjs': file({ written: false }) } }),
    { do: 'replan', why: 'node hello.mjs: boom' },
  ],
  [
    'no file left to mend, under the last plan',
    failing({ files: {}, counters: counters({ replans: 2 }) }),
    { do: 'finish', ending: 'failed', detail: 'node hello.mjs: boom' },
  ],
  [
    'a test runner that found no test, where no test was written',
    failing({ commands: [failed('node --test', { ...NO_TESTS })] }),
    { do: 'replan', why: 'node --test: no tests were found' },
  ],
  [
    'a program that only says that it found no tests',
    failing({ commands: [failed('node hello.mjs', { head: NO_TESTS.head })], ...inRepair }),
    offered('hello.mjs'),
  ],
  [
    'a test runner that found no test in the one that was written',
    failing({
      ...inRepair,
      commands: [failed('node --test', { ...NO_TESTS })],
      files: { 'hello.test.mjs': file() },
    }),
    offered('hello.test.mjs'),
  ],
  [
    'a file that was just mended: the command runs again',
    failing({
      active: active({ actions: [action('write_file', 'hello.mjs')] }),
      commands: [failed('node hello.mjs', { stdin: 'Ada\n' })],
    }),
    {
      do: 'open_round',
      origin: 'repair',
      calls: [
        { id: 'planned_1', does: 'runs_commands', args: { cmd: 'node hello.mjs', stdin: 'Ada\n' } },
      ],
    },
  ],
  [
    'one that was given back as it was: it does not',
    failing({
      ...inRepair,
      active: active({
        actions: [action('write_file', 'hello.mjs')],
        unchangedAfterRepair: ['hello.mjs'],
      }),
      files: { 'other.mjs': OTHER, 'hello.mjs': file() },
    }),
    offered('other.mjs'),
  ],
  [
    'a check that failed, told to the model',
    failing({
      ...inRepair,
      active: active({
        actions: [action('write_file', 'hello.mjs')],
        claim: claim({ isOpen: false, checks: [{ passed: false, text: 'no' }] }),
      }),
    }),
    offered('hello.mjs'),
  ],
  [
    'a command of another subtask',
    failing({ commands: [failed('node hello.mjs', { subtask: '1.0' })], round: round() }),
    { do: 'ask', cause: 'action_question' },
  ],
];

const GIVEN = file({ written: false, given: 'as it was' });
const involvedIn = (...involved: readonly InvolvedFile[]) => [
  failed('node hello.mjs', { involved }),
];
const involvements: readonly Row[] = [
  [
    'a failure that other files of its own have more to do with: these come first',
    failing({
      ...inRepair,
      commands: involvedIn({ path: 'other.mjs', how: 'said' }, { path: 'hello.mjs', how: 'run' }),
      files: { 'a.mjs': OTHER, 'other.mjs': OTHER, 'hello.mjs': file() },
    }),
    offered('other.mjs', 'hello.mjs', 'a.mjs'),
  ],
  [
    'one whose traceback ends in given code: that is offered behind its own',
    failing({
      ...inRepair,
      commands: involvedIn({ path: 'given.mjs', how: 'said' }, { path: 'hello.mjs', how: 'run' }),
    }),
    offered('hello.mjs', 'given.mjs'),
  ],
  [
    'one that only uses given code: that was right for somebody',
    failing({
      ...inRepair,
      commands: involvedIn({ path: 'hello.mjs', how: 'run' }, { path: 'given.mjs', how: 'used' }),
    }),
    offered('hello.mjs'),
  ],
  [
    'one in given code that the goal names',
    failing({
      ...inRepair,
      goal: 'fix src/given.mjs',
      commands: involvedIn({ path: 'src/given.mjs', how: 'used' }),
    }),
    offered('hello.mjs', 'src/given.mjs'),
  ],
  [
    'one in given code, where nothing of its own is there to mend',
    failing({
      ...inRepair,
      files: { 'given.mjs': GIVEN },
      commands: involvedIn({ path: 'given.mjs', how: 'used' }),
    }),
    offered('given.mjs'),
  ],
  [
    'one in given tests and given data alone: they are not mended',
    failing({
      ...inRepair,
      files: {},
      commands: involvedIn(
        { path: 'given.test.mjs', how: 'said' },
        { path: 'tests/helper.mjs', how: 'said' },
        { path: 'rows.json', how: 'said' },
        { path: 'rows.csv', how: 'used' },
        { path: 'notes.txt', how: 'said' },
      ),
    }),
    { do: 'replan' },
  ],
];

const asking = failed('node hello.mjs', { asksForInput: 'Hi!\nYour name? ' });
const typed = (lines: readonly string[]) => ({
  do: 'ask' as const,
  cause: 'input_question' as const,
  question: {
    kind: 'action' as const,
    open: [
      {
        does: 'runs_commands' as const,
        fixed: { cmd: 'node hello.mjs' },
        only: ['cmd', 'stdin'],
        lines: { stdin: lines },
      },
    ],
  },
});
const reading = (asksForInput: string) => ({ ...asking, asksForInput });
/** Nothing is known of what it asks: its input is one text. */
const FREELY = {
  do: 'ask' as const,
  cause: 'input_question' as const,
  question: {
    kind: 'action' as const,
    open: [
      {
        does: 'runs_commands' as const,
        fixed: { cmd: 'node hello.mjs' },
        only: ['cmd', 'stdin'],
      },
    ],
  },
};
const fed = (times: number) =>
  Array.from({ length: times }, (_, index) => ({ ...asking, stdin: 'Ada\n'.repeat(index + 1) }));
const ran = (times: number) =>
  active({ actions: Array.from({ length: times }, () => action('run_cmd', 'node hello.mjs')) });
const inputs: readonly Row[] = [
  [
    'a program that ended for want of input',
    failing({ commands: [asking], round: round(), active: ran(1) }),
    typed(['Your name?']),
  ],
  [
    'one whose questions are known from its file',
    failing({
      commands: [asking],
      round: round(),
      files: { 'hello.mjs': file({ prompts: ['Name: ', 'Age: '] }) },
    }),
    typed(['Name: ', 'Age: ']),
  ],
  [
    'one that still asks after all its answers',
    failing({ commands: [{ ...asking, stdin: 'Ada' }], round: round(), active: ran(2) }),
    typed(['Your name?', 'to end the program']),
  ],
  [
    'one that asks something else behind them: that is answered, too',
    failing({
      commands: [{ ...asking, stdin: 'Ada', asksForInput: 'Your name? Once more (y/n)?' }],
      files: { 'hello.mjs': file({ prompts: ['Your name? '] }) },
      round: round(),
      active: ran(2),
    }),
    typed(['Your name? ', 'Your name? Once more (y/n)?']),
  ],
  [
    'one in a loop: as many lines as it had, and one that ends it',
    failing({ commands: [{ ...asking, stdin: 'Ada\nBob\n' }], round: round(), active: ran(3) }),
    typed(['Your name?', 'Your name?', 'to end the program']),
  ],
  [
    'a line of output before it reads: that is no question',
    failing({ commands: [reading('Too low!\n')], round: round(), active: ran(1) }),
    FREELY,
  ],
  [
    'a question that it prints as a line: it is one',
    failing({ commands: [reading('Hi!\nYour name?\n')], round: round(), active: ran(1) }),
    typed(['Your name?']),
  ],
  [
    'one that says nothing at all before it reads',
    failing({ commands: [reading('')], round: round(), active: ran(1) }),
    FREELY,
  ],
  [
    'one that read past all that it was given three times: nothing is mended for it',
    failing({ commands: fed(3), round: round(), active: ran(4) }),
    { do: 'finish_subtask', status: 'unverified' },
  ],
  [
    'one that asked four times and was never given anything: it is mended',
    failing({ ...inRepair, commands: [asking], active: ran(4) }),
    { do: 'ask', cause: 'repair_question' },
  ],
  [
    'a program that asks, where the proof is another one',
    working({
      ...WRITTEN,
      plan: planOf(doing(WRITE).tasks[0]!.subtasks, { proof: { cmd: 'node other.mjs' } }),
      files: { 'hello.mjs': file({ prompts: ['Name: '] }) },
      round: round(),
    }),
    { do: 'ask', cause: 'completion_question' },
  ],
  [
    'a program that asks nobody anything, and is to be the proof',
    working({
      ...WRITTEN,
      plan: planOf(doing(WRITE).tasks[0]!.subtasks, { proof: { cmd: 'node hello.mjs' } }),
      round: round(),
    }),
    { do: 'ask', cause: 'completion_question' },
  ],
  [
    'a program that asks, before the proof is due',
    working({
      ...WRITTEN,
      files: { 'hello.mjs': file({ prompts: ['Name: '] }) },
      round: round(),
    }),
    { do: 'ask', cause: 'completion_question' },
  ],
  [
    'a program that asks and is to be the proof: it is tried first',
    working({
      ...WRITTEN,
      plan: planOf(doing(WRITE).tasks[0]!.subtasks, { proof: { cmd: 'node hello.mjs' } }),
      files: { 'hello.mjs': file({ prompts: ['Name: '] }) },
      round: round(),
    }),
    typed(['Name: ']),
  ],
  [
    'one that was tried',
    working({
      plan: planOf(doing(WRITE).tasks[0]!.subtasks, { proof: { cmd: 'node hello.mjs' } }),
      files: { 'hello.mjs': file({ prompts: ['Name: '] }) },
      active: active({
        actions: [action('write_file', 'hello.mjs'), action('run_cmd', 'node hello.mjs')],
        succeeded: 2,
      }),
      commands: [command('node hello.mjs')],
      round: round(),
    }),
    { do: 'ask', cause: 'completion_question' },
  ],
];

describe('the guided driver', () => {
  it.each([...repairs, ...involvements, ...inputs])('goes on after %s', (_, state, step) => {
    expect(next(state, { maxRounds: 24 }, guided)).toMatchObject(step);
  });
});
