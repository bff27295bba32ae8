/** State -> next step, where the engine leads: the plan, step by step. */
import { describe, expect, it } from 'vitest';
import { guided } from '../../../src/drivers/guided/guided.ts';
import { openingCalls } from '../../../src/drivers/guided/planned.ts';
import type { SubtaskStep } from '../../../src/schema/plan.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { next } from '../../../src/steps/next.ts';
import { type Row, sharedRows } from '../../steps/shared-steps.ts';
import { stepOf } from '../../support/built-in-tools.ts';
import {
  action,
  active,
  bareState,
  claim,
  command,
  counters,
  failed,
  file,
  planOf,
  RUN,
  round,
  said,
  WRITE,
} from '../../support/run-state.ts';
import { doing, ENDED, failing, inRepair, running, WRITTEN, working } from './states.ts';

const testsBeforePlan = { replans: 0, offset: null, failed: false };
const planning: readonly Row[] = [
  ['no plan', bareState('guided'), { do: 'look' }],
  [
    'a look at the tests that are there',
    bareState('guided', { testsBeforePlan }),
    { do: 'ask', question: { kind: 'plan' }, cause: 'plan_question', tries: 0 },
  ],
  [
    'the question for it',
    bareState('guided', { conversation: said('plan_question') }),
    { do: 'ask', cause: null },
  ],
  [
    'a plan that did not work',
    bareState('guided', {
      testsBeforePlan,
      plan: doing(WRITE),
      replan: { n: 1, why: 'it failed' },
    }),
    { do: 'ask', cause: 'replan_question' },
  ],
];

const planned = (step: Parameters<typeof doing>[0]): RunState => working({ plan: doing(step) });
const calls = (name: string, args: { readonly [name: string]: string }) => ({
  do: 'open_round' as const,
  origin: 'planned' as const,
  calls: [{ id: 'planned_1', name, args }],
});
const steps: readonly Row[] = [
  ['a planned command', planned(RUN), calls('run_cmd', { cmd: 'node hello.mjs' })],
  [
    'a planned command with input',
    planned(stepOf('run_cmd', 'node a.mjs', 'Ada\n')),
    calls('run_cmd', { cmd: 'node a.mjs', stdin: 'Ada\n' }),
  ],
  [
    'a planned command when no round is left to ask in',
    { ...planned(RUN), counters: counters({ roundsSinceResume: 24 }) },
    calls('run_cmd', { cmd: 'node hello.mjs' }),
  ],
  [
    'a planned command after more rounds without a question than any plan needs',
    { ...planned(RUN), counters: counters({ idleRounds: 200 }) },
    { do: 'pause', why: 'stalled', detail: '200 rounds in a row asked the model nothing' },
  ],
  ['a planned look', planned(stepOf('read_file', 'a.txt')), calls('read_file', { path: 'a.txt' })],
  [
    'a planned look at a folder',
    planned(stepOf('list_dir', 'src')),
    calls('list_dir', { path: 'src' }),
  ],
  ['a planned file', planned(WRITE), { do: 'open_round', origin: 'planned', calls: [] }],
  [
    'a planned change',
    planned(stepOf('edit_file', 'a.mjs')),
    { do: 'open_round', origin: 'planned', calls: [] },
  ],
  ['the goal itself', planned(undefined), { do: 'open_round', origin: 'decision' }],
  [
    'a file that was only read so far',
    working({ active: active({ actions: [action('read_file', 'hello.mjs')], succeeded: 1 }) }),
    { do: 'open_round', origin: 'planned', calls: [] },
  ],
  [
    'a file that could not be written three times',
    working({
      active: active({
        actions: Array.from({ length: 3 }, () =>
          action('write_file', 'hello.mjs', { status: 'error' }),
        ),
      }),
    }),
    { do: 'open_round', origin: 'planned', calls: [] },
  ],
  [
    'a file that could not be written four times',
    working({
      active: active({
        actions: Array.from({ length: 4 }, () =>
          action('write_file', 'hello.mjs', { status: 'error', head: 'no such folder' }),
        ),
      }),
    }),
    { do: 'replan', why: 'hello.mjs could not be written: no such folder' },
  ],
];

const completion = (more: object) => ({
  do: 'ask' as const,
  cause: 'completion_question' as const,
  question: { kind: 'action' as const, open: [{ does: 'ends_subtasks' as const, ...more }] },
});
const ALL = [
  { does: 'writes_whole_files', only: ['path'] },
  { does: 'runs_commands', only: ['cmd', 'stdin'] },
  { does: 'reads_files', only: ['path'] },
  { does: 'lists_folders', only: ['path'] },
] as const;
const COMPLETE = { does: 'ends_subtasks', only: ['success', 'reason'] } as const;
const decisions: readonly Row[] = [
  ['a written file', working({ ...WRITTEN, round: round() }), ENDED],
  [
    'a file that was read and then written',
    working({
      ...WRITTEN,
      active: active({
        actions: [action('read_file', 'hello.mjs'), action('write_file', 'hello.mjs')],
        succeeded: 2,
      }),
      round: round(),
    }),
    ENDED,
  ],
  [
    'a question that was said',
    working({
      plan: doing(stepOf('read_file', 'a.txt')),
      active: active({ actions: [action('read_file', 'a.txt')], succeeded: 1 }),
      round: round(),
      conversation: said('completion_question'),
    }),
    { do: 'ask', cause: null },
  ],
  [
    'a look: only it may end with an answer',
    working({
      plan: doing(stepOf('read_file', 'a.txt')),
      active: active({ actions: [action('read_file', 'a.txt')], succeeded: 1 }),
      round: round(),
    }),
    completion({}),
  ],
  [
    'a failed command of a plan that wants an answer alone: it was seen',
    working({
      plan: { ...doing(RUN), answer_only: true },
      active: active({ actions: [action('run_cmd', 'node hello.mjs', { status: 'error' })] }),
      commands: [failed('node hello.mjs')],
      round: round(),
    }),
    completion({}),
  ],
  [
    'a file whose problems stayed: its tries are spent',
    working({
      files: { 'hello.mjs': file({ problems: ['line 1: no'] }) },
      active: active({ actions: [action('write_file', 'hello.mjs')] }),
      round: round(),
    }),
    ENDED,
  ],
  [
    'a call whose outcome nobody knows: that is for the model to judge',
    running({
      active: active({ actions: [action('run_cmd', 'node hello.mjs', { status: 'interrupted' })] }),
      round: round(),
    }),
    { do: 'ask', cause: 'action_question', question: { kind: 'action', open: [...ALL, COMPLETE] } },
  ],
  [
    'nor does another command that ended well show what became of it',
    running({
      active: active({
        actions: [
          action('run_cmd', 'node hello.mjs', { status: 'interrupted' }),
          action('run_cmd', 'node look.mjs'),
        ],
        succeeded: 1,
      }),
      commands: [command('node look.mjs')],
      round: round(),
    }),
    { do: 'ask', cause: 'action_question', question: { kind: 'action', open: [...ALL, COMPLETE] } },
  ],
  [
    'the same one that ran to its end since: it is done',
    running({
      active: active({
        actions: [
          action('run_cmd', 'node hello.mjs', { status: 'interrupted' }),
          action('run_cmd', 'node hello.mjs'),
        ],
        succeeded: 1,
      }),
      commands: [command('node hello.mjs')],
      round: round(),
    }),
    ENDED,
  ],
  [
    'a look that failed: success is not open',
    working({
      plan: doing(stepOf('read_file', 'a.txt')),
      active: active({ actions: [action('read_file', 'a.txt', { status: 'error' })] }),
      round: round(),
    }),
    {
      do: 'ask',
      cause: 'action_question',
      question: {
        kind: 'action',
        open: [...ALL, { ...COMPLETE, fixed: { success: false } }],
      },
    },
  ],
  [
    'a model that said once that it cannot',
    working({ ...WRITTEN, active: { ...WRITTEN.active, reportedFailures: 1 }, round: round() }),
    { do: 'ask', cause: 'action_question' },
  ],
  [
    'a model that said so twice',
    working({ ...WRITTEN, active: { ...WRITTEN.active, reportedFailures: 2 } }),
    { do: 'replan', why: 'the model could not do it: it is wanted' },
  ],
  [
    'calls that were blocked three times',
    working({ active: active({ blocks: 3 }) }),
    { do: 'replan', why: 'the same calls came again without effect' },
  ],
  [
    'calls that were blocked behind a failed command',
    running({ active: active({ blocks: 3 }), commands: [failed('node hello.mjs')] }),
    { do: 'replan', why: 'node hello.mjs: boom' },
  ],
];

/** Its last check failed and was told, and no command did. */
const told = (step: SubtaskStep, checkFailures: number) =>
  working({
    ...WRITTEN,
    plan: doing(step),
    active: {
      ...WRITTEN.active,
      checkFailures,
      claim: claim({ isOpen: false, checks: [{ passed: false, text: 'a.txt is empty' }] }),
    },
  });

const claims: readonly Row[] = [
  [
    'a file that failed a check: its content is asked for once more',
    told(WRITE, 1),
    { do: 'open_round', origin: 'planned', calls: [] },
  ],
  ['one that failed it again', told(WRITE, 2), { do: 'replan', why: 'a.txt is empty' }],
  [
    'a check that failed behind a look: the same look would show the same',
    told(stepOf('read_file', 'a.txt'), 1),
    { do: 'replan', why: 'a.txt is empty' },
  ],
  [
    'a proof that failed however often: it is told and mended',
    working({
      plan: planOf(doing(WRITE).tasks[0]!.subtasks, { proof: { cmd: 'node hello.mjs' } }),
      active: active({
        checkFailures: 9,
        claim: claim({ checks: [{ passed: false, text: 'no' }] }),
      }),
    }),
    { do: 'tell_failed_check', isProof: true },
  ],
  [
    'a claim while a repair is under way: that comes first',
    failing({ ...inRepair, active: active({ claim: claim() }) }),
    { do: 'open_round', origin: 'repair', file: 'hello.mjs' },
  ],
];

describe('a guided round', () => {
  const state = working({});
  const view = (isThere: boolean) => ({
    readText: () => null,
    size: () => null,
    exists: (path: string) => isThere && path === 'hello.mjs',
    files: () => [],
  });
  const READ = { id: 'planned_1', does: 'reads_files', args: { path: 'hello.mjs' } };

  it.each([
    ['a planned file that is there and was never looked at', state, 'planned', true, [READ]],
    ['nothing where the file is not there', state, 'planned', false, []],
    [
      'nothing where the file is known',
      working({ files: { 'hello.mjs': file({ written: false }) } }),
      'planned',
      true,
      [],
    ],
    ['nothing where the model decides', state, 'decision', true, []],
    ['nothing in a repair', state, 'repair', true, []],
    ['nothing for a command', working({ plan: doing(RUN) }), 'planned', true, []],
  ] as const)('reads %s first', (_, at, origin, isThere, calls) => {
    expect(openingCalls(origin, { state: at, world: view(isThere) })).toEqual(calls);
  });
});

describe('the guided driver', () => {
  it.each([...sharedRows('guided'), ...planning, ...steps, ...decisions, ...claims])(
    'goes on after %s',
    (_, state, step) => {
      expect(next(state, { maxRounds: 24 }, guided)).toMatchObject(step);
    },
  );
});
