/** Handles the claim that a subtask is complete: runs its checks, then the proof if it is the last subtask. */
import { defined } from '../../lib/defined.ts';
import type { Check, Proof } from '../../schema/plan.ts';
import type { RunState, SubtaskClaim } from '../../schema/state.ts';
import type { DrivingSteps } from '../driver.ts';
import { activeSubtask, dueProof, lastCommand, subtaskFile } from '../select.ts';
import { PATIENCE, type Step } from '../step.ts';
import { type DueExample, dueExamples } from './examples.ts';
import { completionGate } from './gate.ts';
import type { Gate } from './gate-contract.ts';
import { inconclusiveBecause } from './inconclusive.ts';
import { isClaimedTooEarly, waitedFor } from './not-done.ts';

export interface DueCheck {
  readonly check: Check | Proof | DueExample;
  readonly isProof: boolean;
}

/**
 * The checks of the active subtask, then the goal's examples, then the proof. A claim without evidence drops
 * the check of the planned file, which may have been a guess.
 */
export function dueChecks(state: RunState): readonly DueCheck[] {
  const subtask = activeSubtask(state);
  const givenUp =
    state.active?.claim?.evidence === false && subtask ? subtaskFile(subtask) : undefined;
  const checks = (subtask?.checks ?? []).filter(
    (check) => givenUp === undefined || !('path' in check) || check.path !== givenUp,
  );
  const own = [...checks, ...dueExamples(state)];
  const proof = dueProof(state);
  return [
    ...own.map((check) => ({ check, isProof: false })),
    ...(proof ? [{ check: proof, isProof: true }] : []),
  ];
}

export function claimStep(state: RunState, driver: DrivingSteps): Step | null {
  const { active } = state;
  const claim = active?.claim;
  if (!active || !claim?.isOpen || state.mainConversation) return null;
  if (!claim.success)
    return isBlockedByRefusal(state, claim, driver) ? finish(state, claim, 'unverified') : null;
  const gate = claim.isFurther ? furtherGate(state, claim) : null;
  if (gate?.allows === false) return { do: 'refuse_claim', reason: gate.reason };
  const due = dueChecks(state);
  const failed = claim.checks.findIndex((check) => !check.passed);
  if (failed >= 0) return afterFailure(state, claim, due[failed], driver);
  if (claim.checks.length < due.length) return { do: 'check', index: claim.checks.length };
  return finish(state, claim, (gate?.evidence ?? claim.evidence) ? 'completed' : 'unverified');
}

/**
 * True when a call was refused that a person may still allow. Every other way to the same effect is refused
 * too, so a new plan would change nothing.
 */
const isBlockedByRefusal = (
  state: RunState,
  { others, isFurther }: SubtaskClaim,
  driver: DrivingSteps,
): boolean =>
  !driver.mendsByItself &&
  others === undefined &&
  isFurther === undefined &&
  waitedFor(state, state.active?.id ?? '').length > 0;

/** A further subtask named in a claim needs evidence of its own. */
const furtherGate = (state: RunState, { reason, report, answer }: SubtaskClaim): Gate =>
  completionGate(state, {
    hasReason: reason !== '' || report !== undefined,
    hasAnswer: answer !== null,
  });

function afterFailure(
  state: RunState,
  claim: SubtaskClaim,
  broken: DueCheck | undefined,
  { mendsByItself }: DrivingSteps,
): Step {
  const isProof = broken?.isProof ?? false;
  // A missing program says nothing about the work, so no repair can help.
  if (isProof && state.commands.at(-1)?.wasStarted === false)
    return finish(state, claim, claim.evidence ? 'completed' : 'unverified');
  const failures = state.active?.checkFailures ?? 0;
  const isInconclusive = mendsByItself && isInconclusiveCheck(state, broken?.check);
  if (!isInconclusive && (mendsByItself || failures < PATIENCE.checkFailures))
    return { do: 'tell_failed_check', isProof };
  return finish(state, claim, isProof && claim.evidence ? 'completed' : 'unverified');
}

/** True when the failed check is the command that ran last and its failure is inconclusive. */
function isInconclusiveCheck(state: RunState, check: DueCheck['check'] | undefined): boolean {
  const command = lastCommand(state);
  if (command === undefined || check === undefined || !('cmd' in check)) return false;
  return check.cmd === command.cmd && inconclusiveBecause(state, command) !== null;
}

function finish(state: RunState, claim: SubtaskClaim, status: 'completed' | 'unverified'): Step {
  const isEarly = isClaimedTooEarly(state);
  return {
    do: 'finish_subtask',
    id: state.active?.id ?? '',
    status,
    summary: isEarly ? '' : claim.reason,
    // The answer is recorded once, with the last subtask that the claim ends.
    answer: claim.others ? null : claim.answer,
    ...(claim.others || isEarly ? {} : defined({ report: claim.report })),
  };
}
