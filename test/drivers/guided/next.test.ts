/** State -> next step, where the engine leads. */
import { describe, expect, it } from 'vitest';
import { guided } from '../../../src/drivers/guided/guided.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { next } from '../../../src/steps/next.ts';
import { type Row, sharedRows } from '../../steps/shared-steps.ts';
import {
  active,
  bareState,
  claim,
  command,
  content,
  counters,
  failed,
  file,
  pending,
  planOf,
  RUN,
  round,
  said,
  stub,
  subtask,
  turn,
  WRITE,
} from '../../support/run-state.ts';

const doing = (step: Parameters<typeof subtask>[1]) =>
  planOf([subtask('1.1', step, { status: 'in_progress' })]);
const working = (more: Partial<RunState>): RunState =>
  bareState('json', { plan: doing(WRITE), active: active(), ...more });
const running = (more: Partial<RunState>): RunState => working({ plan: doing(RUN), ...more });

const LAST = Number.MAX_SAFE_INTEGER;
const CUT = turn({ purpose: 'content', status: { kind: 'truncated' } });
const FAULTY = content({ tries: 1, faults: ['line 1: no', 'line 2: nor'] });

const planning: readonly Row[] = [
  [
    'no plan',
    bareState('json'),
    { do: 'ask', question: { kind: 'plan' }, cause: 'plan_question', tries: 0 },
  ],
  [
    'the question for it',
    bareState('json', { conversation: said('plan_question') }),
    { do: 'ask', cause: null },
  ],
  [
    'a plan that did not work',
    bareState('json', { plan: doing(WRITE), replan: { n: 1, why: 'it failed' } }),
    { do: 'ask', cause: 'replan_question' },
  ],
];

const cutContent: readonly Row[] = [
  [
    'content that was cut off: it is taken out with its question',
    working({
      lastTurn: CUT,
      wantsContent: FAULTY,
      conversation: said('subtask_started', 'content_question'),
    }),
    { do: 'rewind', fromSeq: 12, why: 'line 1: no line 2: nor' },
  ],
  [
    'content that is none: the same',
    working({
      lastTurn: turn({ purpose: 'content', decoded: 'invalid' }),
      wantsContent: FAULTY,
      conversation: said('content_question'),
    }),
    { do: 'rewind', fromSeq: 11 },
  ],
  [
    'content that was cut off in a repair: only the answer goes',
    working({
      lastTurn: CUT,
      wantsContent: FAULTY,
      beside: [],
      conversation: said('repair_question', 'content_question'),
    }),
    { do: 'refuse', fromSeq: 13, why: 'line 1: no line 2: nor' },
  ],
  [
    'content that was cut off behind a compaction that took its question',
    working({ lastTurn: CUT, wantsContent: FAULTY, conversation: said('summary') }),
    { do: 'rewind', fromSeq: LAST },
  ],
  [
    'content that was cut off three times',
    working({ lastTurn: CUT, wantsContent: content({ tries: 3 }) }),
    { do: 'replan', why: 'no usable content came for hello.mjs' },
  ],
];

const written = pending(['write_file'], { next: 1, untold: 'write_file' });
const outcomes: readonly Row[] = [
  [
    'a file with problems: its content is asked for anew',
    working({
      pending: written,
      wantsContent: FAULTY,
      conversation: said('subtask_started', 'content_question'),
    }),
    { do: 'rewind', fromSeq: 12, why: 'line 1: no line 2: nor' },
  ],
  [
    'a file with problems, its question compacted away: nothing goes',
    working({ pending: written, wantsContent: FAULTY }),
    { do: 'rewind', fromSeq: LAST - 1 },
  ],
  [
    'a repair with problems: the question stays',
    working({
      pending: written,
      wantsContent: FAULTY,
      beside: [],
      conversation: said('repair_question', 'content_question'),
    }),
    {
      do: 'refuse',
      fromSeq: 13,
      why: 'line 1: no line 2: nor Write the whole file again without this.',
    },
  ],
  [
    'a repair that gave the file back: nothing that shows it stays',
    working({
      pending: written,
      wantsContent: content({ isAnew: true }),
      beside: [],
      conversation: said('repair_question', 'content_question'),
    }),
    { do: 'rewind', fromSeq: 11, why: 'the file came back as it was' },
  ],
  ['a file without problems', working({ pending: written }), { do: 'tell' }],
  [
    'another outcome while content is wanted',
    working({
      pending: pending(['read_file'], { next: 1, untold: 'read_file' }),
      wantsContent: content(),
    }),
    { do: 'tell' },
  ],
];

const contents: readonly Row[] = [
  [
    'a file to write',
    working({ wantsContent: content() }),
    {
      do: 'ask',
      question: { kind: 'content', file: 'hello.mjs' },
      cause: 'content_question',
      tries: 0,
    },
  ],
  [
    'a file that was asked for',
    working({ wantsContent: FAULTY, conversation: said('content_question') }),
    { do: 'ask', cause: null, tries: 1 },
  ],
  [
    'a refused repair: the refusal is the question',
    working({
      wantsContent: FAULTY,
      beside: [],
      conversation: said('content_question', 'refusal'),
    }),
    { do: 'ask', cause: null },
  ],
  [
    'a refusal in the main conversation: the question is said again',
    working({ wantsContent: FAULTY, conversation: said('content_question', 'refusal') }),
    { do: 'ask', cause: 'content_question' },
  ],
  [
    'a file that somebody else changed',
    working({
      wantsContent: content(),
      round: round({ origin: 'planned' }),
      active: active({ stubs: [stub('write_file', 'hello.mjs', { status: 'conflict' })] }),
    }),
    {
      do: 'open_round',
      origin: 'planned',
      calls: [{ id: 'planned_1', name: 'read_file', args: { path: 'hello.mjs' } }],
    },
  ],
  [
    'a conflict about another file',
    working({
      wantsContent: content(),
      active: active({ stubs: [stub('write_file', 'other.mjs', { status: 'conflict' })] }),
    }),
    { do: 'ask', question: { kind: 'content', file: 'hello.mjs' } },
  ],
  [
    'content that never came',
    working({ wantsContent: content({ tries: 3 }) }),
    { do: 'replan', why: 'no usable content came for hello.mjs' },
  ],
  [
    'a repair that is told',
    working({ beside: [], conversation: said('repair_question', 'tool_result') }),
    { do: 'close_branch', why: 'repaired' },
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
    planned({ ...RUN, action: 'run_cmd', cmd: 'node a.mjs', stdin: 'Ada\n' }),
    calls('run_cmd', { cmd: 'node a.mjs', stdin: 'Ada\n' }),
  ],
  [
    'a planned look',
    planned({ action: 'read_file', file: 'a.txt' }),
    calls('read_file', { path: 'a.txt' }),
  ],
  [
    'a planned look at a folder',
    planned({ action: 'list_dir', path: 'src' }),
    calls('list_dir', { path: 'src' }),
  ],
  ['a planned file', planned(WRITE), { do: 'open_round', origin: 'planned', calls: [] }],
  [
    'a planned change',
    planned({ action: 'edit_file', file: 'a.mjs' }),
    { do: 'open_round', origin: 'planned', calls: [] },
  ],
  ['the goal itself', planned({ action: 'goal' }), { do: 'open_round', origin: 'decision' }],
  [
    'a file that was only read so far',
    working({ active: active({ stubs: [stub('read_file', 'hello.mjs')], succeeded: 1 }) }),
    { do: 'open_round', origin: 'planned', calls: [] },
  ],
  [
    'a file that could not be written four times',
    working({
      active: active({
        stubs: Array.from({ length: 4 }, () =>
          stub('write_file', 'hello.mjs', { status: 'error', head: 'no such folder' }),
        ),
      }),
    }),
    { do: 'replan', why: 'hello.mjs could not be written: no such folder' },
  ],
];

/** The subtask's file is written, and nothing speaks against it. */
const WRITTEN = {
  files: { 'hello.mjs': file() },
  active: active({ stubs: [stub('write_file', 'hello.mjs')], succeeded: 1 }),
};
const completion = (more: object) => ({
  do: 'ask' as const,
  cause: 'completion_question' as const,
  question: { kind: 'action' as const, open: [{ tool: 'mark_subtask_complete', ...more }] },
});
const names = (...tools: readonly string[]) => tools.map((tool) => ({ tool }));
const ALL = names('write_file', 'run_cmd', 'read_file', 'list_dir', 'mark_subtask_complete');
const decisions: readonly Row[] = [
  ['a written file', working({ ...WRITTEN, round: round() }), completion({ without: ['answer'] })],
  [
    'a question that was said',
    working({ ...WRITTEN, round: round(), conversation: said('completion_question') }),
    { do: 'ask', cause: null },
  ],
  [
    'a look: only it may end with an answer',
    working({
      plan: doing({ action: 'read_file', file: 'a.txt' }),
      active: active({ stubs: [stub('read_file', 'a.txt')], succeeded: 1 }),
      round: round(),
    }),
    completion({}),
  ],
  [
    'a file whose problems stayed: its tries are spent',
    working({
      files: { 'hello.mjs': file({ problems: ['line 1: no'] }) },
      active: active({ stubs: [stub('write_file', 'hello.mjs')] }),
      round: round(),
    }),
    { do: 'ask', cause: 'completion_question' },
  ],
  [
    'a call whose outcome nobody knows: that is for the model to judge',
    running({
      active: active({ stubs: [stub('run_cmd', 'node hello.mjs', { status: 'interrupted' })] }),
      round: round(),
    }),
    { do: 'ask', cause: 'action_question', question: { kind: 'action', open: ALL } },
  ],
  [
    'a look that failed: success is not open',
    working({
      plan: doing({ action: 'read_file', file: 'a.txt' }),
      active: active({ stubs: [stub('read_file', 'a.txt', { status: 'error' })] }),
      round: round(),
    }),
    {
      do: 'ask',
      cause: 'action_question',
      question: {
        kind: 'action',
        open: [...ALL.slice(0, 4), { ...ALL[4]!, fixed: { success: false } }],
      },
    },
  ],
  [
    'a model that said once that it cannot',
    working({ ...WRITTEN, active: { ...WRITTEN.active, saidFailure: 1 }, round: round() }),
    { do: 'ask', cause: 'action_question' },
  ],
  [
    'a model that said so twice',
    working({ ...WRITTEN, active: { ...WRITTEN.active, saidFailure: 2 } }),
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

/** The command of the subtask failed, and hello.mjs was written before. */
const failing = (more: Partial<RunState> = {}): RunState =>
  running({
    active: active({ stubs: [stub('run_cmd', 'node hello.mjs')] }),
    commands: [failed('node hello.mjs')],
    files: { 'hello.mjs': file() },
    ...more,
  });
const inRepair = { beside: [], round: round({ origin: 'repair' as const }) };
const offered = (...path: readonly string[]) => ({
  do: 'ask' as const,
  cause: 'repair_question' as const,
  question: {
    kind: 'action' as const,
    open: [{ tool: 'write_file', choices: { path }, without: ['content', 'create_dirs'] }],
  },
});
const OTHER = file({ defines: ['other()'] });
const tests = failed('node --test');
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
      active: active({ standsBy: ['hello.mjs'] }),
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
    failing({ commands: [failed('node --test', { head: 'no tests were found' })] }),
    { do: 'replan', why: 'node --test: no tests were found' },
  ],
  [
    'a test runner that found no test in the one that was written',
    failing({
      ...inRepair,
      commands: [failed('node --test', { head: 'no tests were found' })],
      files: { 'hello.test.mjs': file() },
    }),
    offered('hello.test.mjs'),
  ],
  [
    'a file that was just mended: the command runs again',
    failing({
      active: active({ stubs: [stub('write_file', 'hello.mjs')] }),
      commands: [failed('node hello.mjs', { stdin: 'Ada\n' })],
    }),
    {
      do: 'open_round',
      origin: 'repair',
      calls: [
        { id: 'planned_1', name: 'run_cmd', args: { cmd: 'node hello.mjs', stdin: 'Ada\n' } },
      ],
    },
  ],
  [
    'one that was given back as it was: it does not',
    failing({
      ...inRepair,
      active: active({ stubs: [stub('write_file', 'hello.mjs')], standsBy: ['hello.mjs'] }),
      files: { 'other.mjs': OTHER, 'hello.mjs': file() },
    }),
    offered('other.mjs'),
  ],
  [
    'a check that failed, told to the model',
    failing({
      ...inRepair,
      active: active({
        stubs: [stub('write_file', 'hello.mjs')],
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

const asking = failed('node hello.mjs', { asksForInput: 'Hi!\nYour name? ' });
const typed = (lines: readonly string[]) => ({
  do: 'ask' as const,
  cause: 'input_question' as const,
  question: {
    kind: 'action' as const,
    open: [
      {
        tool: 'run_cmd',
        fixed: { cmd: 'node hello.mjs' },
        without: ['timeout_sec'],
        lines: { stdin: lines },
      },
    ],
  },
});
const ran = (times: number) =>
  active({ stubs: Array.from({ length: times }, () => stub('run_cmd', 'node hello.mjs')) });
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
    'one that asked for input a third time: it is mended',
    failing({ ...inRepair, commands: [asking], active: ran(3) }),
    { do: 'ask', cause: 'repair_question' },
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
        stubs: [stub('write_file', 'hello.mjs'), stub('run_cmd', 'node hello.mjs')],
        succeeded: 2,
      }),
      commands: [command('node hello.mjs')],
      round: round(),
    }),
    { do: 'ask', cause: 'completion_question' },
  ],
];

const claims: readonly Row[] = [
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
    { do: 'ask', cause: 'repair_question' },
  ],
];

describe('the guided driver', () => {
  it.each([
    ...sharedRows('json'),
    ...planning,
    ...cutContent,
    ...outcomes,
    ...contents,
    ...steps,
    ...decisions,
    ...repairs,
    ...inputs,
    ...claims,
  ])('goes on after %s', (_, state, step) => {
    expect(next(state, { maxRounds: 24 }, guided)).toMatchObject(step);
  });
});
