import { firstFailed, lastInformativeLine } from '../../../languages/testing/test-output.ts';
import { defined } from '../../../lib/defined.ts';
import type { ActionFacts } from '../../../schema/actions.ts';
import { traitsOf } from '../../../schema/driver.ts';
import type { ToolCall } from '../../../schema/model/messages.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { ActiveSubtask, RunState } from '../../../schema/state.ts';
import {
  BEFORE_A_PLAN,
  type CommandFact,
  type ProofState,
} from '../../../schema/state-parts/run-facts.ts';
import { insist, observe } from '../../loop-detector.ts';
import type { StateChanges } from '../files/changes.ts';
import { writtenSince } from '../files/command-changes.ts';
import { failedBefore, foldAsFound } from '../files/failed-before.ts';
import { answersAfter } from '../files/files-shown.ts';
import { filesAfter } from '../files/known-files.ts';
import { argumentText, textHead } from '../messages/text.ts';
import { foldTrial } from '../work/candidates.ts';
import { claimedElsewhere } from '../work/claimed.ts';
import {
  claimOf,
  type Finished,
  finishedTarget,
  isCompletion,
  isGood,
  isInsistedOn,
  isJudged,
  isRefusedCall,
  mayHaveChanged,
} from '../work/finished.ts';
import { contentAfter, repairsAfter, withContentRequest } from '../work/guided.ts';
import { foldTryTrial } from '../work/plain-try.ts';
import { freeAfterCall } from '../work/survey.ts';
import { withdrawnBy } from '../work/withdrawn.ts';
import { errorsAfter, errorsAfterCheck } from './errors.ts';
import { loopEntry } from './loop-entry.ts';
import { pendingAfter } from './pending.ts';

const ACTIONS_KEPT = 20;

type Intents = Pick<RunState, 'intents'>;

export const foldActionIntended = (
  state: Intents,
  record: Located<RecordOf<'action_intended'>>,
): Intents => ({
  intents: {
    ...state.intents,
    [record.id]: {
      id: record.id,
      seq: record.seq,
      offset: record.offset,
      class: record.class,
      tool: record.tool,
      signature: record.signature,
      files: record.files,
      process: null,
      ...defined({ place: record.place, answered: record.answered }),
    },
  },
});

export function foldActionStarted(
  state: Intents,
  record: RecordOf<'action_started'>,
): Partial<Intents> {
  const intent = state.intents[record.id];
  if (!intent) return {};
  const process = { pid: record.pid, startTime: record.startTime };
  return { intents: { ...state.intents, [record.id]: { ...intent, process } } };
}

export function foldActionFinished(state: RunState, record: Finished): StateChanges {
  const call = state.pending?.calls[state.pending.next];
  const settled = {
    intents: withoutIntent(state.intents, record.id),
    counters: countersAfter(state.counters, record),
    round: state.round && { ...state.round, actions: state.round.actions + 1 },
    files: filesAfter(state, record, state.intents[record.id]?.files),
    commandChanges: writtenSince(state.commandChanges, record),
    commands: commandsAfter(state, record, call),
    ...failedBefore(state, finishedTarget(record, call), record.facts),
    recentErrors: errorsAfter(state.recentErrors, record, call),
    loop: isJudged(record)
      ? observe(state.loop, loopEntry(record, call), {
          at: record.ts,
          round: state.round?.n ?? 0,
        })
      : isRefusedCall(record) && isInsistedOn(state.active, record, finishedTarget(record, call))
        ? insist(state.loop)
        : state.loop,
    active: state.active && activeAfter(state, state.active, record, call),
    ...withContentRequest(state, contentAfter(state, record)),
    givenUp: record.status === 'ok' && record.givesUp ? record.givesUp : state.givenUp,
    changedAt: mayHaveChanged(record) ? record.seq : state.changedAt,
    conversation: answersAfter(state, record),
    ...freeAfterCall(state, record),
    ...withdrawnBy(record, call),
  };
  const isClaim = isCompletion(record) && record.status === 'ok';
  const place = isClaim ? claimedElsewhere({ ...state, active: settled.active }) : {};
  return { ...settled, ...place, pending: pendingAfter(state, record) };
}

const countersAfter = (
  counters: RunState['counters'],
  { does }: Finished,
): RunState['counters'] => ({
  ...counters,
  actions: counters.actions + 1,
  commands: counters.commands + (does === 'runs_commands' ? 1 : 0),
});

export function withoutIntent(
  intents: RunState['intents'],
  id: string | null,
): RunState['intents'] {
  const { [id ?? '']: _ended, ...open } = intents;
  return id === null ? intents : open;
}

function activeAfter(
  state: RunState,
  active: ActiveSubtask,
  record: Finished,
  call: ToolCall | undefined,
): ActiveSubtask {
  const target = finishedTarget(record, call);
  const { id, tool, does, status } = record;
  const action = { id, tool, ...(does ? { does } : {}), target, status };
  const after: ActiveSubtask = {
    ...active,
    actions: [...active.actions, { ...action, head: textHead(record.result) }].slice(-ACTIONS_KEPT),
    blocks: active.blocks + (isInsistedOn(active, record, target) ? 1 : 0),
  };
  if (!isCompletion(record)) {
    const succeeded = after.succeeded + (isGood(record) ? 1 : 0);
    return { ...after, succeeded, ...repairsAfter(state, after, record) };
  }
  if (record.status === 'denied') return { ...after, gateRefusals: after.gateRefusals + 1 };
  const claim = status === 'ok' ? claimOf(record, call) : null;
  if (!claim) return after;
  const evidence = record.facts.evidence ?? true;
  return {
    ...after,
    reportedFailures: after.reportedFailures + (claim.success ? 0 : 1),
    ...(claim.success ? {} : { lastFailure: claim.reason }),
    claim: { ...claim, evidence, isOpen: true, checks: [] },
  };
}

function commandsAfter(
  state: RunState,
  record: Finished,
  call: ToolCall | undefined,
): readonly CommandFact[] {
  if (record.does !== 'runs_commands' || !call) return state.commands;
  const cmd = finishedTarget(record, call);
  return withCommand(state.commands, {
    cmd,
    ...(cmd === argumentText(call.args, 'cmd') ? {} : { isAsTyped: false }),
    stdin: argumentText(call.args, 'stdin') || null,
    subtask: state.active?.id ?? '',
    status: record.status,
    exitCode: record.facts.exitCode ?? null,
    head: textHead(record.result),
    offset: record.offset,
    ...(record.facts.notStarted || record.status === 'denied' ? { wasStarted: false } : {}),
    ...seenIn(record.facts),
  });
}

const seenIn = ({
  asksForInput,
  testsRan,
  onlyLooked,
  shortfall,
  involved,
  asBefore,
  failingNow,
}: ActionFacts) => ({
  asksForInput: asksForInput ?? null,
  ...defined({ testsRan, onlyLooked, shortfall, involved, asBefore, failingNow }),
});

const withCommand = (commands: readonly CommandFact[], command: CommandFact) =>
  [...commands, command].slice(-8);

const PROOF_RUNS_KEPT = 20;

function proofAfter(
  state: RunState,
  record: Located<RecordOf<'check_ran'>>,
  text: string,
): ProofState {
  const { passed, check, seq, when = 'after' } = record;
  const run = { seq, cmd: 'cmd' in check ? check.cmd : '', passed, when };
  const runs = [...(state.proof?.runs ?? []), run].slice(-PROOF_RUNS_KEPT);
  return { passed, text, ...(record.red ? { red: record.red } : {}), runs };
}

/** Set once for each plan: the existing tests were run before the plan is asked for. */
export const withTestsBeforePlan = (
  state: RunState,
  { offset, failed }: { readonly offset: number | null; readonly failed: boolean },
): RunState => ({
  ...state,
  testsBeforePlan: { replans: state.counters.replans, offset, failed },
});

function activeAfterCheck(
  active: ActiveSubtask,
  { passed }: RecordOf<'check_ran'>,
  text: string,
): ActiveSubtask {
  const { claim } = active;
  if (!claim) return active;
  return { ...active, claim: { ...claim, checks: [...claim.checks, { passed, text }] } };
}

/** Characters. A free driver's model is told why its work is not accepted; the user reads it at the end. */
const MAX_REASON = 600;

/** Of failed tests only the first, and of a failed proof only what is wrong: the model has read the rest. */
function reasonOf({ settings }: RunState, record: RecordOf<'check_ran'>): string {
  const { text, check, proof } = record;
  if (!traitsOf(settings).callsTools) return textHead(text);
  const { failed = 0, passed, first } = record.facts.tests ?? {};
  const said = typeof text === 'string' ? text : text.head;
  const why = first ?? (proof ? whatIsWrong(said) : '');
  if (!('cmd' in check) || (failed === 0 && why === '')) return textHead(text, MAX_REASON);
  const of = passed == null ? '' : ` of ${failed + passed}`;
  const count = failed === 0 ? '' : `${failed}${of} failed`;
  return [check.cmd, count, why].filter(Boolean).join(': ');
}

const whatIsWrong = (said: string): string =>
  (firstFailed(said) || lastInformativeLine(said.split('\n')).trim()).slice(0, MAX_REASON);

export function foldCheck(state: RunState, record: Located<RecordOf<'check_ran'>>): RunState {
  const intents = withoutIntent(state.intents, record.id);
  // Neither kind describes the run's work: one ran in a copy, the other tested the original state.
  if (record.scratch) {
    const { guided } = foldTryTrial(foldTrial(state, record), record);
    return { ...state, intents, guided, ...foldAsFound(state, record) };
  }
  const asFound = 'cmd' in record.check ? failedBefore(state, record.check.cmd, record.facts) : {};
  if (record.subtask === BEFORE_A_PLAN) {
    const { offset, red } = record;
    return {
      ...withTestsBeforePlan(state, { offset, failed: red === 'failing' }),
      intents,
      ...asFound,
    };
  }
  if (record.when === 'before') return { ...state, intents, isProofSeenBefore: true, ...asFound };
  const text = textHead(record.text);
  const reason = reasonOf(state, record);
  const cmd = 'cmd' in record.check ? record.check.cmd : null;
  return {
    ...state,
    intents,
    active: state.active && activeAfterCheck(state.active, record, reason),
    ...(state.joint && { joint: [...state.joint, { passed: record.passed, text: reason }] }),
    proof: record.proof ? proofAfter(state, record, reason) : state.proof,
    finalProof:
      record.failing === undefined
        ? state.finalProof
        : { why: record.failing, passed: record.passed },
    counters: {
      ...state.counters,
      proofTries: state.counters.proofTries + (record.proof ? 1 : 0),
      commands: state.counters.commands + (cmd === null ? 0 : 1),
    },
    commands:
      cmd === null
        ? state.commands
        : withCommand(state.commands, {
            cmd,
            stdin: ('stdin' in record.check ? record.check.stdin : undefined) ?? null,
            subtask: record.subtask,
            status: record.passed ? 'ok' : 'error',
            exitCode: record.facts.exitCode ?? null,
            head: text,
            offset: record.offset,
            ...(record.facts.notStarted ? { wasStarted: false } : {}),
            ...('prints' in record.check && record.check.prints
              ? { prints: record.check.prints }
              : {}),
            ...seenIn(record.facts),
          }),
    recentErrors: errorsAfterCheck(state.recentErrors, record, text),
  };
}
