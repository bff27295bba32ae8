/** State -> next step, where the model leads. */
import { describe, expect, it } from 'vitest';
import { free } from '../../../src/drivers/free/free.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { NO_SURVEY, type Survey } from '../../../src/schema/state-parts/run-facts.ts';
import { next } from '../../../src/steps/next.ts';
import { type Row, sharedRows } from '../../steps/shared-steps.ts';
import { stepOf } from '../../support/built-in-tools.ts';
import {
  action,
  active,
  bareState,
  claim,
  content,
  counters,
  failed,
  file,
  pending,
  planOf,
  round,
  said,
  settings,
  subtask,
  turn,
  WRITE,
} from '../../support/run-state.ts';

const plan = planOf([subtask('1.1', WRITE, { status: 'in_progress' })]);
const working = (more: Partial<RunState>): RunState =>
  bareState('free', { plan, active: active(), ...more });
const PROVED = planOf(plan.tasks[0]!.subtasks, { proof: { cmd: 'node hello.mjs' } });

const WRITES = { goal: 'Write a program that greets' };
/** The user left the mode to the program. */
const open = { settings: settings('free', true) };
const TWICE = counters({ nativeFailures: 2 });
const STALLED = {
  do: 'pause',
  why: 'stalled',
  detail: 'the model answered 3 times without a tool call',
} as const;
const TO_GUIDED = { do: 'switch_driver', to: 'guided' } as const;
const NO_CHECK_PASSED = { checks: [{ passed: false, text: 'no' }] };

const LOOKED: Survey = { ...NO_SURVEY, isBegun: true, turns: 1 };
const surveying = (survey: Partial<Survey>, more: Partial<RunState> = {}): RunState =>
  bareState('free', {
    free: { survey: { ...LOOKED, ...survey } },
    round: round({ subtask: 'none' }),
    ...more,
  });
/** Characters that were looked at. */
const looked = (length: number): Partial<RunState> => ({
  conversation: [
    ...said('survey'),
    { seq: 12, offset: 0, role: 'tool', cause: 'tool_result', length },
  ],
});

const planning: readonly Row[] = [
  ['no plan', bareState('free'), { do: 'open_round', origin: 'decision' }],
  [
    'a round without a plan',
    bareState('free', { round: round({ subtask: 'none' }) }),
    { do: 'ask', question: { kind: 'action', open: [] }, cause: 'survey', tries: 0 },
  ],
  ['a look', surveying({}), { do: 'ask', cause: null }],
  ['a call that looks', surveying({}, { pending: pending(['read_file']) }), { do: 'execute' }],
  [
    'eight replies that only looked',
    surveying({ turns: 8 }),
    { do: 'ask', cause: 'plan_demanded' },
  ],
  [
    'a sixth of the window that was looked at',
    surveying({}, looked(4400)),
    { do: 'ask', cause: 'plan_demanded' },
  ],
  ['a tenth of it', surveying({}, looked(2600)), { do: 'ask', cause: null }],
  [
    'one look after the plan was demanded',
    surveying({ turns: 9, demandedAt: 8 }),
    { do: 'ask', cause: null },
  ],
  [
    'two looks after it: the goal is the plan',
    surveying({ turns: 10, demandedAt: 8 }),
    { do: 'plan_goal', isAnswer: false },
  ],
  [
    'two replies that could not be read: the form of the plan is forced',
    surveying({ turns: 2, invalidReplies: 2 }),
    {
      do: 'ask',
      cause: 'plan_demanded',
      question: { kind: 'action', open: [], asData: 'sets_plan' },
    },
  ],
  [
    'a second plan without the form of one, once the plan was demanded',
    surveying({ turns: 9, demandedAt: 8, unreadPlans: 2 }),
    { do: 'ask', cause: null, question: { kind: 'action', open: [], asData: 'sets_plan' } },
  ],
  [
    'the first of them',
    surveying({ unreadPlans: 1 }),
    { do: 'ask', question: { kind: 'action', open: [] } },
  ],
  [
    'three replies that could not be read',
    surveying({ invalidReplies: 3 }),
    { do: 'plan_goal', isAnswer: false },
  ],
  [
    'a text about work that nobody planned: it may announce it',
    surveying({ texts: 1 }, { ...WRITES, lastTurn: turn(), conversation: said('survey') }),
    { do: 'nudge' },
  ],
  [
    'the same again: it says that there is none',
    surveying({ texts: 2 }, { ...WRITES, lastTurn: turn(), conversation: said('survey') }),
    { do: 'plan_goal', isAnswer: true },
  ],
  [
    'a text after a look: it is the answer, whatever the goal is',
    surveying(
      { texts: 1 },
      { lastTurn: turn(), conversation: said('survey'), counters: counters({ actions: 1 }) },
    ),
    { do: 'plan_goal', isAnswer: true },
  ],
  [
    'a call that proposed a plan',
    surveying({}, { pending: { ...pending(['set_plan'], { next: 1 }), isPlanDue: true } }),
    { do: 'adopt_call' },
  ],
  [
    'the work behind it: its subtask begins first',
    bareState('free', {
      plan: planOf([subtask('1.1', undefined)]),
      pending: pending(['set_plan', 'write_file'], { next: 1 }),
    }),
    { do: 'start_subtask', id: '1.1' },
  ],
  [
    'calls behind the end of a plan',
    bareState('free', {
      plan: planOf([subtask('1.1', undefined, { status: 'completed' })]),
      pending: pending(['mark_subtask_complete', 'write_file'], { next: 1 }),
    }),
    { do: 'skip_call' },
  ],
  [
    'a plan that did not work',
    bareState('free', {
      plan,
      replan: { n: 1, why: 'it failed' },
      round: round({ subtask: 'none' }),
    }),
    { do: 'ask', cause: 'replan_question' },
  ],
  [
    'the branch in which an earlier build asked for a plan',
    bareState('free', { mainConversation: [], conversation: said('plan_question') }),
    { do: 'close_branch' },
  ],
  [
    'a goal that the model gave up',
    bareState('free', { givenUp: { reason: 'no network', needs: 'a network' } }),
    { do: 'finish', ending: 'failed', detail: 'the model gave up: no network', needs: 'a network' },
  ],
];

const leaving: readonly Row[] = [
  [
    'a second text',
    working({ ...open, lastTurn: turn(), active: active({ nudges: 2 }) }),
    { do: 'nudge' },
  ],
  [
    'a text too many, which never changes who leads',
    working({ ...open, lastTurn: turn(), active: active({ nudges: 3 }) }),
    STALLED,
  ],
  [
    'two calls that could not be used: what is open is planned again',
    working({ ...open, counters: TWICE }),
    { do: 'replan', why: 'two tool calls of the model could not be used as sent' },
  ],
  [
    'a replan for such calls, by the driver that needs none',
    bareState('free', { ...open, plan, counters: TWICE, replan: { n: 1, why: 'calls' } }),
    TO_GUIDED,
  ],
  [
    'a replan for another reason',
    bareState('free', { ...open, plan, replan: { n: 1, why: 'it failed' } }),
    { do: 'open_round' },
  ],
  [
    'the second call that the server could not read',
    working({
      ...open,
      counters: TWICE,
      lastTurn: turn({ status: { kind: 'invalid_response' } }),
    }),
    { do: 'replan' },
  ],
  [
    'one call that could not be used',
    working({ ...open, counters: counters({ nativeFailures: 1 }), round: round() }),
    { do: 'ask' },
  ],
  [
    'two of them where the user chose the mode',
    working({ counters: TWICE, round: round() }),
    { do: 'ask' },
  ],
];

const SAID = [{ seq: 20, offset: 0, role: 'assistant', cause: null, length: 40 }] as const;
const EDITED = active({ succeeded: 1, actions: [action('edit_file', 'hello.mjs')] });
const READ = active({ succeeded: 1, actions: [action('read_file', 'hello.mjs')] });
const SEEN = { 'hello.mjs': file() };
/** The model ends its turn with a text. */
const ending = (more: Partial<RunState>): RunState =>
  working({ ...open, lastTurn: turn(), conversation: SAID, files: SEEN, active: EDITED, ...more });
const looking = planOf([
  subtask('1.1', stepOf('read_file', 'hello.mjs'), { status: 'in_progress' }),
]);

const closing: readonly Row[] = [
  ['a text when the work is done', ending({}), { do: 'claim_by_text' }],
  [
    'a third text when the work is done: the driver stays',
    ending({ active: { ...EDITED, nudges: 3 } }),
    { do: 'claim_by_text' },
  ],
  [
    'the same where the user chose the mode',
    ending({ settings: settings('free'), active: { ...EDITED, nudges: 3 } }),
    { do: 'claim_by_text' },
  ],
  [
    'a text when the work is done and no round is left to ask in',
    ending({ counters: counters({ roundsSinceResume: 24 }) }),
    { do: 'claim_by_text' },
  ],
  [
    'an answer without any word',
    ending({ conversation: [{ ...SAID[0], length: 0 }] }),
    { do: 'nudge' },
  ],
  ['a text before anything was done', ending({ active: active() }), { do: 'nudge' }],
  [
    'a text while a look has something to remark on the file: that is for the proof to judge',
    ending({ files: { 'hello.mjs': file({ problems: ['does not parse'] }) } }),
    { do: 'claim_by_text' },
  ],
  [
    'a text while the last command failed',
    ending({
      active: { ...EDITED, actions: [...EDITED.actions, action('run_cmd', 'node hello.mjs')] },
      commands: [failed('node hello.mjs')],
    }),
    { do: 'nudge' },
  ],
  [
    'a text where the gate opened only because it may not stay closed for ever',
    ending({ active: active({ gateRefusals: 2, nudges: 3 }) }),
    STALLED,
  ],
  [
    'a text after a look alone: it may announce the work',
    ending({ active: READ }),
    { do: 'nudge' },
  ],
  [
    'a text too many after a look alone',
    ending({ active: { ...READ, nudges: 3 } }),
    { do: 'claim_by_text' },
  ],
  [
    'a text after a look that was all there was to do',
    ending({ plan: looking, active: READ }),
    { do: 'claim_by_text' },
  ],
];

const claiming: readonly Row[] = [
  [
    'a check that failed twice already',
    working({
      plan: planOf([
        subtask('1.1', WRITE, {
          status: 'in_progress',
          checks: [{ type: 'file_exists', path: 'hello.mjs' }],
        }),
      ]),
      active: active({ checkFailures: 2, claim: claim(NO_CHECK_PASSED) }),
    }),
    { do: 'finish_subtask', status: 'unverified' },
  ],
  [
    'a proof that failed twice already: the subtask itself is done',
    working({ plan: PROVED, active: active({ checkFailures: 2, claim: claim(NO_CHECK_PASSED) }) }),
    { do: 'finish_subtask', status: 'completed' },
  ],
  [
    'a proof that failed twice already, of a claim without evidence',
    working({
      plan: PROVED,
      active: active({ checkFailures: 2, claim: claim({ ...NO_CHECK_PASSED, evidence: false }) }),
    }),
    { do: 'finish_subtask', status: 'unverified' },
  ],
];

const work: readonly Row[] = [
  ['a subtask', working({}), { do: 'open_round', origin: 'decision', calls: [] }],
  [
    'a round',
    working({ round: round() }),
    { do: 'ask', question: { kind: 'action', open: [] }, cause: null, tries: 0 },
  ],
  ['a round that is over', working({ round: round({ isOver: true }) }), { do: 'open_round' }],
  ['a round of four turns', working({ round: round({ turns: 4 }) }), { do: 'open_round' }],
  [
    'a model that cannot do it',
    working({
      active: active({
        reportedFailures: 1,
        actions: [action('mark_subtask_complete', '', { head: 'there is no network' })],
      }),
    }),
    { do: 'replan', why: 'there is no network' },
  ],
  [
    'the same in many words',
    working({ active: active({ reportedFailures: 1, lastFailure: 'because '.repeat(60) }) }),
    { do: 'replan', why: 'because '.repeat(60) },
  ],
  [
    'calls that were blocked three times',
    working({ active: active({ blocks: 3 }) }),
    { do: 'replan', why: 'the same calls came again and again without effect' },
  ],
  [
    'a file with problems: its result is told',
    working({ pending: pending(['write_file'], { next: 1, unreportedResult: 'write_file' }) }),
    { do: 'tell' },
  ],
];

/** A run that was guided before its user chose otherwise. */
const afterGuided: readonly Row[] = [
  [
    'content that was asked for: the model writes the file by a call',
    working({ guided: { contentRequest: content() }, round: round() }),
    { do: 'ask', question: { kind: 'action', open: [] } },
  ],
  [
    'a repair beside the conversation',
    working({ mainConversation: [], conversation: said('repair_question'), round: round() }),
    { do: 'ask', question: { kind: 'action', open: [] } },
  ],
  [
    'what was done there',
    working({ mainConversation: [], conversation: said('repair_question', 'tool_result') }),
    { do: 'close_branch', why: 'repaired' },
  ],
];

describe('the free driver', () => {
  it.each([
    ...sharedRows('free'),
    ...planning,
    ...leaving,
    ...closing,
    ...claiming,
    ...work,
    ...afterGuided,
  ])('goes on after %s', (_, state, step) => {
    expect(next(state, { maxRounds: 24 }, free)).toMatchObject(step);
  });
});
