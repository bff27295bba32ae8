/** Reports the outcomes of calls to the model, each as the answer to its call. */

import { driverOf } from '../../drivers/driver-of.ts';
import { unlessDamaged } from '../../journal/read-journal.ts';
import { REPLANNING, RESULT_UNREADABLE, sameOutput } from '../../prompts/remarks.ts';
import { endsSubtask, setsPlan } from '../../schema/capability.ts';
import { type Plan, subtasksOf } from '../../schema/plan.ts';
import type { RecordOf } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import { refusedUntil } from '../../steps/gate/not-done.ts';
import { isPending } from '../../steps/select.ts';
import { driverIn, driverViewOf, type ViewPort } from '../driver-view.ts';
import type { RunPorts } from '../run-ports.ts';
import { type ConversationPort, type EngineMessage, sendToModel } from './send-to-model.ts';

type Outcome = RecordOf<'action_finished'>;

/** Reports the outcome of the last action. */
export function sendResult(run: ViewPort): void {
  const unreported = run.context.state.pending?.unreportedResult;
  if (!unreported) return;
  const call = { id: unreported.callId, tool: unreported.tool };
  const { context } = run;
  const outcome = unlessDamaged(() => context.read(unreported.offset, 'action_finished'));
  if (outcome === null) {
    sendToModel(run, { cause: 'tool_result', text: RESULT_UNREADABLE, call });
    return;
  }
  if (setsPlan(unreported) || endsSubtask(unreported)) {
    if (outcome.status === 'ok') {
      sendToModel(run, { ...wordsOfPlan(outcome, unreported.seq, run), call });
      return;
    }
  }
  const resultOf = unreported.seq;
  const same = sameBefore(outcome, run);
  if (same === null) sendToModel(run, { cause: 'tool_result', resultOf, call });
  else {
    const text = sameOutput(outcome.result as string, same.target ?? '');
    sendToModel(run, { cause: 'tool_result', text, same: { resultOf, sameAs: same.seq }, call });
  }
}

/** Characters; for a shorter output, a reference to the earlier one saves nothing. */
const MIN_SAME = 1_000;

/**
 * An earlier command result that the model still has in full and that equals this output to the byte. Small
 * models get everything again, because they rely on what comes last.
 */
function sameBefore(
  { touches, result, parts }: Outcome,
  { context }: ViewPort,
): { readonly seq: number; readonly target: string | null } | null {
  const { conversation, settings, pending } = context.state;
  const length = pending?.unreportedResult?.length ?? 0;
  if (!driverOf(settings).callsTools || touches !== 'process') return null;
  if (length < MIN_SAME || parts !== undefined) return null;
  for (const ref of conversation) {
    if (ref.cause !== 'tool_result' || ref.length !== length || ref.same) continue;
    const record = unlessDamaged(() => context.readAny(ref.offset));
    if (record?.type !== 'action_finished' || record.touches !== 'process') continue;
    if (record.result === result) return { seq: ref.seq, target: record.target };
  }
  return null;
}

/** The reply names the next subtask if there is one; otherwise the plan is complete. */
function wordsOfPlan(outcome: Outcome, seq: number, run: ViewPort): EngineMessage {
  const { state } = run.context;
  if (state.active) return { cause: 'tool_result', text: REPLANNING };
  const cause = state.plan !== null && hasOpen(state.plan) ? 'border' : 'tool_result';
  const claim = { ended: endedBy(outcome), success: outcome.claim?.success !== false };
  return setsPlan(outcome)
    ? { cause, resultOf: seq }
    : { cause, text: driverIn(run).completionReply(driverViewOf(run), claim) };
}

const hasOpen = (plan: Plan): boolean => subtasksOf(plan).some(isPending);

/** The subtasks of a claim: those it names, otherwise the active one. */
const endedBy = ({ id, claim }: Outcome): readonly string[] =>
  claim?.ids?.length ? claim.ids : [id.split('#')[0] ?? ''];

/** What fails may have nothing to do with the goal, or the work has not reached it. */
const AS_BEFORE = 'Nothing fails now that did not fail before this run changed anything.';

/** Reports a failed check as the answer to the completion call. */
export function sendFailedCheck(
  isProof: boolean,
  run: ConversationPort & Pick<RunPorts, 'names'>,
): void {
  const { state } = run.context;
  const failed = state.commands.at(-1);
  const heads = state.active?.claim?.checks.filter((check) => !check.passed) ?? [];
  const record = failed && isProof ? run.context.readAny(failed.offset) : null;
  const output =
    record?.type === 'check_ran' ? String(record.text) : heads.map((one) => one.text).join('\n');
  const refusal = failed && isProof ? refusedUntil(state, failed.offset) : '';
  const shown = [
    output,
    ...(refusal === '' ? [] : [`In this run ${refusal}.`]),
    ...(isProof && failed?.asBefore ? [AS_BEFORE] : []),
  ].join('\n');
  // The person's proof is not the model's to replace.
  const isPlanned = isProof && state.givenProof === undefined;
  const text = driverIn(run).failedCheck(shown, isPlanned, run.names);
  sendClaimResult(isProof ? 'proof_failed' : 'check_failed', text, run);
}

/** A claim for several subtasks reaches one that is not done; the subtasks before it are. */
export function refuseClaim(reason: string, run: ConversationPort): void {
  const { state } = run.context;
  const { plan, active, pending } = state;
  const offset = pending?.unreportedResult?.offset;
  const outcome =
    offset === undefined ? null : unlessDamaged(() => run.context.read(offset, 'action_finished'));
  const named = outcome === null ? [] : endedBy(outcome);
  const ended = named.filter((id) => isEnded(plan, id));
  const text = driverIn(run).refusalReply(state, ended, `${active?.id ?? ''}: ${reason}`);
  sendClaimResult('check_failed', text, run);
}

const isEnded = (plan: RunState['plan'], wanted: string): boolean =>
  plan !== null && subtasksOf(plan).some((one) => one.id === wanted && !isPending(one));

function sendClaimResult(
  cause: 'proof_failed' | 'check_failed',
  text: string,
  run: ConversationPort,
): void {
  const unreported = run.context.state.pending?.unreportedResult;
  const call = unreported && { id: unreported.callId, tool: unreported.tool };
  sendToModel(run, { cause, text, ...(call ? { call } : {}) });
}
