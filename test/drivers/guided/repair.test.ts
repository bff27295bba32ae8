/** State -> next step, after a command that failed. */
import { describe, expect, it } from 'vitest';
import { guided } from '../../../src/drivers/guided/guided.ts';
import type { InvolvedFile } from '../../../src/schema/actions.ts';
import { INEFFECTIVE_REPAIR } from '../../../src/schema/state-parts/guided-state.ts';
import { next } from '../../../src/steps/next.ts';
import type { Row } from '../../steps/shared-steps.ts';
import {
  action,
  active,
  claim,
  content,
  counters,
  failed,
  file,
  round,
} from '../../support/run-state.ts';
import { failing, inRepair } from './states.ts';

const mends = (path: string) => ({
  do: 'open_round' as const,
  origin: 'repair' as const,
  calls: [],
  file: path,
});
const OTHER = file({ defines: ['other()'] });
const tests = failed('node --test');
const NO_TESTS = { head: 'no tests were found', testsRan: 'none' as const };
const repairs: readonly Row[] = [
  ['a failed command', failing(), mends('hello.mjs')],
  [
    'its round: the content is asked for beside the conversation',
    failing({ round: round({ origin: 'repair' }), guided: { contentRequest: content() } }),
    { do: 'open_branch', why: 'repair of hello.mjs' },
  ],
  [
    'the branch for it',
    failing({ ...inRepair, guided: { contentRequest: content() } }),
    { do: 'ask', cause: 'content_question', question: { kind: 'content', file: 'hello.mjs' } },
  ],
  [
    'two files it may lie in: the first is mended first',
    failing({ ...inRepair, files: { 'other.mjs': OTHER, 'hello.mjs': file() } }),
    mends('hello.mjs'),
  ],
  [
    'a test that was there: it is not mended',
    failing({
      ...inRepair,
      files: { 'other.test.mjs': file({ baseline: 'as it was' }), 'hello.mjs': file() },
    }),
    mends('hello.mjs'),
  ],
  [
    'one that has problems: the fault is looked for there',
    failing({
      ...inRepair,
      files: { 'other.mjs': file({ problems: ['line 1: no'] }), 'hello.mjs': file() },
    }),
    mends('other.mjs'),
  ],
  [
    'a file that the command cannot be run without: it is offered though it is not there',
    failing({
      ...inRepair,
      commands: [
        failed('python -m tool', {
          head: "python: No module named tool.__main__; 'tool' is a package and cannot be directly executed",
        }),
      ],
      files: { 'tool/add.py': OTHER },
    }),
    mends('tool/__main__.py'),
  ],
  [
    'data beside code',
    failing({ ...inRepair, commands: [tests], files: { 'a.json': file(), 'hello.mjs': file() } }),
    mends('hello.mjs'),
  ],
  [
    'data that the command names: code first',
    failing({
      ...inRepair,
      commands: [failed('node hello.mjs a.json')],
      files: { 'a.json': file(), 'hello.mjs': file() },
    }),
    mends('hello.mjs'),
  ],
  [
    "a package's marker beside code",
    failing({
      ...inRepair,
      commands: [tests],
      files: { 'm/__init__.py': file(), 'hello.mjs': OTHER },
    }),
    mends('hello.mjs'),
  ],
  [
    'a package that holds code itself',
    failing({
      ...inRepair,
      commands: [tests],
      files: { 'm/__init__.py': OTHER, 'hello.mjs': OTHER },
    }),
    mends('hello.mjs'),
  ],
  [
    'a file that was mended twice',
    failing({
      ...inRepair,
      active: active({ repairs: { 'hello.mjs': 2 } }),
      files: { 'other.mjs': OTHER, 'hello.mjs': file() },
    }),
    mends('other.mjs'),
  ],
  [
    'a file that came back as it was',
    failing({
      ...inRepair,
      active: active({ repairs: { 'hello.mjs': INEFFECTIVE_REPAIR } }),
      files: { 'other.mjs': OTHER, 'hello.mjs': file() },
    }),
    mends('other.mjs'),
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
    mends('hello.mjs'),
  ],
  [
    'a test runner that found no test in the one that was written',
    failing({
      ...inRepair,
      commands: [failed('node --test', { ...NO_TESTS })],
      files: { 'hello.test.mjs': file() },
    }),
    mends('hello.test.mjs'),
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
        repairs: { 'hello.mjs': INEFFECTIVE_REPAIR },
      }),
      files: { 'other.mjs': OTHER, 'hello.mjs': file() },
    }),
    mends('other.mjs'),
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
    mends('hello.mjs'),
  ],
  [
    'a command of another subtask',
    failing({ commands: [failed('node hello.mjs', { subtask: '1.0' })], round: round() }),
    { do: 'ask', cause: 'action_question' },
  ],
];

const GIVEN = file({ written: false, baseline: 'as it was' });
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
    mends('other.mjs'),
  ],
  [
    'one whose traceback ends in given code: that is offered behind its own',
    failing({
      ...inRepair,
      commands: involvedIn({ path: 'given.mjs', how: 'said' }, { path: 'hello.mjs', how: 'run' }),
    }),
    mends('hello.mjs'),
  ],
  [
    'one that only uses given code: that was right for somebody',
    failing({
      ...inRepair,
      commands: involvedIn({ path: 'hello.mjs', how: 'run' }, { path: 'given.mjs', how: 'used' }),
    }),
    mends('hello.mjs'),
  ],
  [
    'one in given code, where nothing of its own is there to mend',
    failing({
      ...inRepair,
      files: { 'given.mjs': GIVEN },
      commands: involvedIn({ path: 'given.mjs', how: 'used' }),
    }),
    mends('given.mjs'),
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

describe('the guided driver', () => {
  it.each([...repairs, ...involvements])('goes on after %s', (_, state, step) => {
    expect(next(state, { maxRounds: 24 }, guided)).toMatchObject(step);
  });
});
