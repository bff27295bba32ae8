/** State -> what still speaks against calling a subtask complete. */
import { describe, expect, it } from 'vitest';
import { freshContent } from '../../../src/context-manager/fold/work/guided.ts';
import { defined } from '../../../src/lib/defined.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { completionGate } from '../../../src/steps/gate/gate.ts';
import { stepOf } from '../../support/built-in-tools.ts';
import {
  action,
  active,
  bareState,
  command,
  failed,
  file,
  planOf,
  RUN,
  settings,
  subtask,
  WRITE,
} from '../../support/run-state.ts';

const doing = (step: Parameters<typeof subtask>[1], more: Partial<RunState> = {}): RunState =>
  bareState('free', {
    plan: planOf([subtask('1.1', step, { status: 'in_progress' })]),
    active: active({ succeeded: 1 }),
    ...more,
  });

const open = (evidence: boolean) => ({ allows: true, evidence });
const closed = (reason: string) => ({ allows: false, reason });
const LOOK = stepOf('read_file', 'a.txt');

/** A subtask in words that wrote its file, and whose last command failed to show something. */
const looked = (more: Parameters<typeof failed>[1], done_when?: string): RunState =>
  bareState('free', {
    plan: planOf([
      subtask('1.1', undefined, {
        status: 'in_progress',
        files: ['a.txt'],
        ...defined({ done_when }),
      }),
    ]),
    active: active({
      succeeded: 1,
      actions: [action('run_cmd', 'git status', { status: 'error' })],
    }),
    files: { 'a.txt': file({ written: true }) },
    commands: [failed('git status', more)],
  });

/** A subtask that wrote its file and saw tests fail, before another one. */
const redFirst = (path: string, ...later: readonly ReturnType<typeof subtask>[]): RunState =>
  bareState('free', {
    plan: planOf([subtask('1.1', undefined, { status: 'in_progress', files: [path] }), ...later]),
    active: active({
      succeeded: 1,
      actions: [action('run_cmd', 'pytest -q', { status: 'error' })],
    }),
    files: { [path]: file({ written: true }) },
    commands: [failed('pytest -q')],
  });
const RED = closed('The command pytest -q ended with exit code 1: mend that, and run it again.');

describe('the gate', () => {
  it.each([
    ['nothing is active', bareState('free'), closed('No subtask is active.')],
    [
      'nothing was done',
      doing(WRITE, { active: active() }),
      closed('Nothing was done yet in this subtask: use a tool first.'),
    ],
    [
      'its file was never looked at: whether it is there nobody knows',
      doing(WRITE),
      closed(
        'hello.mjs was neither written nor read in this run: do that first, or say as reason why it is not needed.',
      ),
    ],
    [
      'its file is not there',
      doing(WRITE, { files: { 'hello.mjs': file({ hash: null }) } }),
      closed(
        'hello.mjs does not exist yet: write it first, or say as reason why it is not needed.',
      ),
    ],
    [
      'its file has problems',
      doing(WRITE, { files: { 'hello.mjs': file({ problems: ['line 1: no', 'line 2: nor'] }) } }),
      open(true),
    ],
    [
      'its file has problems, and the engine leads',
      {
        ...doing(WRITE, {
          files: { 'hello.mjs': file({ problems: ['line 1: no', 'line 2: nor'] }) },
        }),
        settings: settings('guided'),
        guided: { contentRequest: freshContent('hello.mjs') },
      },
      closed('hello.mjs: line 1: no'),
    ],
    [
      'its file has problems, the engine leads, and its content is asked for no more',
      {
        ...doing(WRITE, {
          files: { 'hello.mjs': file({ problems: ['line 1: no', 'line 2: nor'] }) },
        }),
        settings: settings('guided'),
      },
      open(false),
    ],
    ['its file is written', doing(WRITE, { files: { 'hello.mjs': file() } }), open(true)],
    [
      'its command was not run',
      doing(RUN),
      closed('The command node hello.mjs was not run yet: run it.'),
    ],
    [
      'its command was run in another subtask only',
      doing(RUN, { commands: [command('node hello.mjs', { subtask: '1.0' })] }),
      closed('The command node hello.mjs was not run yet: run it.'),
    ],
    [
      'its command failed, where only what it shows is wanted',
      bareState('free', {
        plan: planOf([subtask('1.1', RUN, { status: 'in_progress' })], { answer_only: true }),
        active: active({ actions: [action('run_cmd', 'node hello.mjs', { status: 'error' })] }),
        commands: [failed('node hello.mjs')],
      }),
      open(true),
    ],
    [
      'it never came to its end there',
      bareState('free', {
        plan: planOf([subtask('1.1', RUN, { status: 'in_progress' })], { answer_only: true }),
        active: active({ succeeded: 1, actions: [action('run_cmd', 'node hello.mjs')] }),
        commands: [failed('node hello.mjs', { status: 'timeout', exitCode: null })],
      }),
      closed('The command node hello.mjs ran out of time: mend that, and run it again.'),
    ],
    ['its command ended well', doing(RUN, { commands: [command('node hello.mjs')] }), open(true)],
    [
      'its last command did not end well',
      doing(RUN, {
        commands: [failed('node hello.mjs')],
        active: active({ succeeded: 1, actions: [action('run_cmd', 'node hello.mjs')] }),
      }),
      closed('The command node hello.mjs ended with exit code 1: mend that, and run it again.'),
    ],
    [
      'the tests that it wrote fail before the code for them',
      redFirst('test_a.py', subtask('1.2', undefined)),
      open(true),
    ],
    ['the tests that it wrote fail at the end', redFirst('test_a.py'), RED],
    ['tests fail with its code', redFirst('a.py', subtask('1.2', undefined)), RED],
    ['its last command failed to show something', looked({ onlyLooked: true }), open(true)],
    ['its last command was refused, and so never ran', looked({ status: 'denied' }), open(true)],
    [
      'its last command failed, and was to do more',
      looked({}),
      closed(
        'The command git status ended with exit code 1: mend that and run it again, or say as reason why it is to end so.',
      ),
    ],
    [
      'the program of what it names as its end is missing',
      looked({ wasStarted: false, status: 'error', exitCode: null }, 'git status is clean'),
      closed('The command git status could not be started: mend that, and run it again.'),
    ],
    [
      'what it names as its end failed to show something',
      looked({ onlyLooked: true }, 'git status is clean'),
      closed('The command git status ended with exit code 1: mend that, and run it again.'),
    ],
    [
      'its last command fails, and no worse than before the run',
      looked({ asBefore: true }),
      open(true),
    ],
    [
      'what it names as its end fails, and no worse than before the run',
      looked({ asBefore: true }, 'git status was run'),
      open(true),
    ],
    [
      'a command that did not end in time, behind a look',
      doing(LOOK, {
        commands: [command('node a.mjs', { status: 'timeout', exitCode: null })],
        active: active({
          succeeded: 1,
          actions: [action('run_cmd', 'node a.mjs'), action('read_file', 'a.txt')],
        }),
      }),
      closed('The command node a.mjs ran out of time: mend that, and run it again.'),
    ],
    [
      'a check failed that no tool of the subtask ran: that is no command of the model',
      doing(LOOK, {
        commands: [failed('node --test')],
        active: active({ succeeded: 1, actions: [action('run_cmd', 'node a.mjs')] }),
      }),
      open(true),
    ],
    [
      'it was closed twice: it never stays closed for ever',
      doing(WRITE, { active: active({ gateRefusals: 2 }) }),
      open(false),
    ],
    [
      'it was closed once',
      doing(WRITE, { active: active({ gateRefusals: 1 }) }),
      closed('Nothing was done yet in this subtask: use a tool first.'),
    ],
  ])('when %s', (_, state, gate) => {
    expect(completionGate(state)).toEqual(gate);
  });
});

describe('a subtask that names a folder or a pattern', () => {
  const naming = (files: readonly string[], more: Partial<RunState>): RunState =>
    bareState('free', {
      plan: planOf([subtask('1.1', undefined, { status: 'in_progress', files: [...files] })]),
      active: active({ succeeded: 1 }),
      ...more,
    });
  const byCommand = (path: string): Partial<RunState> => ({
    commandChanges: {
      ...{ uncovered: {}, more: 0 },
      files: { [path]: { before: 'a', after: 'b', isUnseen: false, seq: 7 } },
    },
  });

  it.each([
    ['a command changed one below its pattern', ['src/**', 'test/**'], byCommand('src/a/b.ts')],
    ['a command changed one that its pattern matches', ['*.{md,txt}'], byCommand('docs/a.md')],
    ['a command changed one below a folder that its pattern matches', ['s*'], byCommand('src/a')],
    ['a tool wrote one in its folder', ['src'], { files: { 'src/a.ts': file({ written: true }) } }],
    ['its folder is the whole workspace', ['.'], byCommand('a.ts')],
  ])('is shown done where %s', (_, files, more) => {
    expect(completionGate(naming(files, more))).toEqual(open(true));
  });

  it('was seen where a file below it was read, and not changed by that', () => {
    const read = { files: { 'src/a.ts': file({ written: false }) } };
    expect(completionGate(naming(['src/**'], read), { hasReason: true })).toEqual(open(false));
    expect(completionGate(naming(['src/**'], read))).toEqual(
      closed(
        'This run has not changed src/**: do that first, or say as reason why it stays as it is.',
      ),
    );
  });

  it.each([[['test/**']], [['src/*.md']], [['rc']]])(
    'is not shown by another file: %s',
    (files) => {
      expect(completionGate(naming(files, byCommand('src/a.ts')))).toMatchObject({ allows: false });
    },
  );
});

describe('a last command that failed', () => {
  const refusedOnce = (state: RunState): RunState => ({
    ...state,
    active: state.active && { ...state.active, gateRefusals: 1 },
  });
  const ran = (cmd: string, done_when?: string): RunState => {
    const state = looked({}, done_when);
    return {
      ...state,
      commands: state.commands.map((one) => ({ ...one, cmd })),
      active: state.active && {
        ...state.active,
        actions: state.active.actions.map((one) => ({ ...one, target: cmd })),
      },
    };
  };
  const SAYS = { hasReason: true };

  it('is taken as said to be meant so with a reason, once it was asked for', () => {
    const state = ran('node serve.mjs --port nonsense');
    expect(completionGate(state, SAYS).allows).toBe(false);
    expect(completionGate(refusedOnce(state), SAYS)).toEqual(open(false));
    expect(completionGate(refusedOnce(state)).allows).toBe(false);
  });

  it.each([
    ['tests', ran('node --test')],
    ['what the subtask names as its end', ran('node serve.mjs', 'node serve.mjs answers')],
  ])('never is where it is %s', (_what, state) => {
    expect(completionGate(refusedOnce(state), SAYS).allows).toBe(false);
  });
});
