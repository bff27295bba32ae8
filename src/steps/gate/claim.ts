/** A subtask called complete: its checks, then the proof where it is the last one. */
import { defined } from '../../lib/defined.ts';
import type { Check, Proof } from '../../schema/plan.ts';
import type { Claim, RunState } from '../../schema/state.ts';
import type { DrivingSteps } from '../driver.ts';
import { activeSubtask, dueProof, lastCommand, ownFile } from '../select.ts';
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
 * The checks of the active subtask, the goal's own examples, and the proof as the last one of all. A
 * claim that stands without evidence gives up the file that the plan named: it may have been a guess.
 */
export function dueChecks(state: RunState): readonly DueCheck[] {
  const subtask = activeSubtask(state);
  const givenUp = state.active?.claim?.evidence === false && subtask ? ownFile(subtask) : undefined;
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

/** Once a call is refused every other way to it is, so another plan would change nothing: a person may allow it. */
const isBlockedByRefusal = (
  state: RunState,
  { others, isFurther }: Claim,
  driver: DrivingSteps,
): boolean =>
  !driver.mendsByItself &&
  others === undefined &&
  isFurther === undefined &&
  waitedFor(state, state.active?.id ?? '').length > 0;

/** A further subtask of a claim ends by evidence of its own. */
const furtherGate = (state: RunState, { reason, report, answer }: Claim): Gate =>
  completionGate(state, {
    hasReason: reason !== '' || report !== undefined,
    hasAnswer: answer !== null,
  });

function afterFailure(
  state: RunState,
  claim: Claim,
  broken: DueCheck | undefined,
  { mendsByItself }: DrivingSteps,
): Step {
  const isProof = broken?.isProof ?? false;
  // A program that is not here says nothing about the work, so no work can answer it.
  if (isProof && state.commands.at(-1)?.wasStarted === false)
    return finish(state, claim, claim.evidence ? 'completed' : 'unverified');
  const failures = state.active?.checkFailures ?? 0;
  const isMoot = mendsByItself && isInconclusiveCheck(state, broken?.check);
  if (!isMoot && (mendsByItself || failures < PATIENCE.checkFailures))
    return { do: 'tell_failed_check', isProof };
  return finish(state, claim, isProof && claim.evidence ? 'completed' : 'unverified');
}

/** Its command is the one that ran last. */
function isInconclusiveCheck(state: RunState, check: DueCheck['check'] | undefined): boolean {
  const command = lastCommand(state);
  const isIt = check !== undefined && 'cmd' in check && check.cmd === command?.cmd;
  return isIt && command !== undefined && inconclusiveBecause(state, command) !== null;
}

function finish(state: RunState, claim: Claim, status: 'completed' | 'unverified'): Step {
  const isEarly = isClaimedTooEarly(state);
  return {
    do: 'finish_subtask',
    id: state.active?.id ?? '',
    status,
    summary: isEarly ? '' : claim.reason,
    // Said once, with the last subtask that it ends.
    answer: claim.others ? null : claim.answer,
    ...(claim.others || isEarly ? {} : defined({ report: claim.report })),
  };
}
