/** What follows from a state whoever leads: the same rows for both drivers. */
import type { DriverName } from '../../src/schema/driver.ts';
import type { TurnStatus } from '../../src/schema/model/turn.ts';
import type { PauseReason } from '../../src/schema/records.ts';
import type { RunState } from '../../src/schema/state.ts';
import type { Step } from '../../src/steps/step.ts';
import {
  active,
  bareState,
  claim,
  counters,
  pending,
  planOf,
  RUN,
  round,
  said,
  subtask,
  turn,
  WRITE,
} from '../support/run-state.ts';

/** What is told of the state, the state, and what of the next step matters. */
export type Row = readonly [string, RunState, Partial<Step>];

const PROOF = { cmd: 'node hello.mjs' };
const CHECK = { type: 'file_exists' as const, path: 'hello.mjs' };
const open = subtask('1.1', WRITE, { status: 'in_progress' });
const done = subtask('1.1', WRITE, { status: 'completed' });
const plan = planOf([open]);

/** What brought no answer, and what a person is told to see to. */
const PAUSES: readonly (readonly [TurnStatus, PauseReason])[] = [
  [{ kind: 'auth_failed' }, 'auth'],
  [{ kind: 'quota_exceeded' }, 'quota'],
  [{ kind: 'refused' }, 'refused'],
  [{ kind: 'timeout' }, 'timeout'],
  [{ kind: 'rate_limited' }, 'provider_unavailable'],
  [{ kind: 'model_error', retryable: true }, 'provider_unavailable'],
  [{ kind: 'network_error', retryable: false }, 'provider_unavailable'],
  [{ kind: 'invalid_response' }, 'provider_unavailable'],
];

export const sharedRows = (driver: DriverName): readonly Row[] => {
  const at = (more: Partial<RunState>): RunState => bareState(driver, { plan, ...more });
  const working = (more: Partial<RunState>): RunState => at({ active: active(), ...more });
  const claiming = (more: Parameters<typeof claim>[0], rest: Partial<RunState> = {}): RunState =>
    at({ active: active({ claim: claim(more) }), ...rest });
  return [
    [
      'a reply that cannot be read',
      working({ lastTurn: turn({ decoded: 'invalid', error: 'no JSON' }) }),
      { do: 'refuse', fromSeq: 20, why: 'no JSON' },
    ],
    [
      'the third one that cannot be read',
      working({
        lastTurn: turn({ decoded: 'invalid', error: 'no JSON' }),
        active: active({ invalidReplies: 3 }),
      }),
      { do: 'replan', why: "the model's answers could not be read: no JSON" },
    ],
    [
      'the third one that cannot be read, under the last plan',
      working({
        lastTurn: turn({ decoded: 'invalid', error: 'no JSON' }),
        active: active({ invalidReplies: 3 }),
        counters: counters({ replans: 2 }),
      }),
      { do: 'finish', ending: 'failed' },
    ],
    [
      'a reply that was cut off',
      working({ lastTurn: turn({ status: { kind: 'truncated' } }) }),
      { do: 'refuse', fromSeq: Number.MAX_SAFE_INTEGER },
    ],
    [
      'the third one that was cut off',
      working({
        lastTurn: turn({ status: { kind: 'truncated' } }),
        active: active({ invalidReplies: 3 }),
      }),
      { do: 'replan', why: "the model's answers were cut off again and again" },
    ],
    [
      'a prompt that did not fit',
      working({ lastTurn: turn({ status: { kind: 'context_overflow' }, detail: 'too long' }) }),
      { do: 'pause', why: 'context_overflow', detail: 'too long' },
    ],
    [
      'a turn that was stopped',
      working({ lastTurn: turn({ status: { kind: 'aborted' } }) }),
      { do: 'pause', why: 'interrupted' },
    ],
    ...PAUSES.map(
      ([status, why]): Row => [
        `a turn that ended as ${status.kind}`,
        working({ lastTurn: turn({ status, detail: 'no', hint: 'Look.' }) }),
        { do: 'pause', why, detail: 'no', hint: 'Look.' },
      ],
    ),
    [
      'a subtask that ended because it did not fit',
      at({ overflowRecovery: { compactions: 0, cuts: 0, isSubtaskOver: true } }),
      { do: 'compact' },
    ],
    [
      'an answer to the plan question',
      bareState(driver, { lastTurn: turn({ purpose: 'plan' }) }),
      { do: 'adopt_plan' },
    ],
    [
      'one that was cut off',
      bareState(driver, { lastTurn: turn({ purpose: 'plan', status: { kind: 'truncated' } }) }),
      { do: 'adopt_plan' },
    ],
    [
      'a plan that was made beside the conversation',
      at({ mainConversation: [] }),
      { do: 'close_branch', why: 'planned' },
    ],
    ['a plan', bareState(driver, { plan: planOf([subtask('1.1', RUN)]) }), { do: 'start_subtask' }],
    ['a claim', claiming({}), { do: 'finish_subtask', id: '1.1', status: 'completed' }],
    [
      'a claim without evidence',
      claiming({ evidence: false }),
      { do: 'finish_subtask', status: 'unverified' },
    ],
    [
      'a claim with checks',
      claiming({}, { plan: planOf([{ ...open, checks: [CHECK] }], { proof: PROOF }) }),
      { do: 'check', index: 0 },
    ],
    [
      'a claim with a passed check, before the proof',
      claiming(
        { checks: [{ passed: true, text: '' }] },
        { plan: planOf([{ ...open, checks: [CHECK] }], { proof: PROOF }) },
      ),
      { do: 'check', index: 1 },
    ],
    [
      'a claim of a subtask that is not the last one: the proof is not due',
      claiming({}, { plan: planOf([open, subtask('1.2', RUN)], { proof: PROOF }) }),
      { do: 'finish_subtask', status: 'completed' },
    ],
    [
      'a claim whose proof failed',
      claiming(
        { checks: [{ passed: false, text: 'no' }] },
        { plan: planOf([open], { proof: PROOF }) },
      ),
      { do: 'tell_failed_check', isProof: true },
    ],
    [
      'a claim whose check failed',
      claiming(
        { checks: [{ passed: false, text: 'no' }] },
        { plan: planOf([{ ...open, checks: [CHECK] }], { proof: PROOF }) },
      ),
      { do: 'tell_failed_check', isProof: false },
    ],
    [
      'a call',
      working({ pending: pending(['read_file', 'run_cmd']) }),
      { do: 'execute', call: { id: 'c0', name: 'read_file', args: {} } },
    ],
    [
      'a call behind one that ended neither ok nor error',
      working({ pending: pending(['read_file', 'run_cmd'], { next: 1, isHalted: true }) }),
      { do: 'skip_call', call: { id: 'c1', name: 'run_cmd', args: {} } },
    ],
    [
      'an outcome that was not told',
      working({ pending: pending(['read_file'], { next: 1, unreportedResult: 'read_file' }) }),
      { do: 'tell' },
    ],
    [
      'an outcome that was told in the main conversation',
      working({ conversation: said('tool_result') }),
      { do: 'open_round' },
    ],
    [
      'a subtask that was begun, before another one',
      working({ plan: planOf([open, subtask('1.2', RUN)]) }),
      { do: 'open_round' },
    ],
    [
      'no round left',
      working({ counters: counters({ roundsSinceResume: 24 }) }),
      { do: 'pause', why: 'limit_rounds', detail: '24 rounds were worked since the start' },
    ],
    [
      'a proof that passed',
      at({
        plan: planOf([done], { proof: PROOF }),
        proof: { passed: true, text: '', runs: [] },
      }),
      { do: 'finish', ending: 'achieved', detail: 'proof passed: node hello.mjs' },
    ],
    [
      'a proof that did not pass',
      at({
        plan: planOf([done], { proof: PROOF }),
        proof: { passed: false, text: 'no', runs: [] },
      }),
      { do: 'replan', why: 'the proof did not pass: node hello.mjs: no' },
    ],
    [
      'a subtask that nothing verified',
      at({ plan: planOf([done, subtask('1.2', RUN, { status: 'unverified' })]) }),
      {
        do: 'finish',
        ending: 'unverified',
        detail: 'nothing shows that this is done: subtask 1.2',
      },
    ],
    [
      'the end without any plan of the model',
      at({ plan: planOf([done], { fallback: true }) }),
      { do: 'finish', ending: 'unverified' },
    ],
    ['the end', at({ plan: planOf([done]) }), { do: 'finish', ending: 'achieved' }],
    [
      'a round of another subtask',
      working({ round: round({ subtask: '0.9' }) }),
      { do: 'open_round' },
    ],
  ];
};
