/** A subtask called complete: its checks, then the proof where it is the last one. */
import type { Check, Proof } from '../schema/plan.ts';
import type { Claim, RunState } from '../schema/state.ts';
import type { DrivingSteps } from './driver.ts';
import { whyMoot } from './moot.ts';
import { activeSubtask, dueProof, lastCommand } from './select.ts';
import { PATIENCE, type Step } from './step.ts';

export interface DueCheck {
  readonly check: Check | Proof;
  readonly isProof: boolean;
}

/** The checks of the active subtask in their order; the proof is the last one of all. */
export function dueChecks(state: RunState): readonly DueCheck[] {
  const own = (activeSubtask(state)?.checks ?? []).map((check) => ({ check, isProof: false }));
  const proof = dueProof(state);
  return proof ? [...own, { check: proof, isProof: true }] : own;
}

export function claimStep(state: RunState, driver: DrivingSteps): Step | null {
  const { active } = state;
  const claim = active?.claim;
  if (!active || !claim?.isOpen || !claim.success || state.mainConversation) return null;
  const due = dueChecks(state);
  const failed = claim.checks.findIndex((check) => !check.passed);
  if (failed >= 0) return afterFailure(state, claim, due[failed], driver);
  if (claim.checks.length < due.length) return { do: 'check', index: claim.checks.length };
  return finish(state, claim, claim.evidence ? 'completed' : 'unverified');
}

function afterFailure(
  state: RunState,
  claim: Claim,
  broken: DueCheck | undefined,
  { mendsByItself }: DrivingSteps,
): Step {
  const failures = state.active?.checkFailures ?? 0;
  const isProof = broken?.isProof ?? false;
  const isMoot = mendsByItself && isMootCheck(state, broken?.check);
  if (!isMoot && (mendsByItself || failures < PATIENCE.checkFailures))
    return { do: 'tell_failed_check', isProof };
  return finish(state, claim, isProof && claim.evidence ? 'completed' : 'unverified');
}

/** Its command is the one that ran last. */
function isMootCheck(state: RunState, check: Check | Proof | undefined): boolean {
  const command = lastCommand(state);
  const isIt = check !== undefined && 'cmd' in check && check.cmd === command?.cmd;
  return isIt && command !== undefined && whyMoot(state, command) !== null;
}

const finish = (state: RunState, claim: Claim, status: 'completed' | 'unverified'): Step => ({
  do: 'finish_subtask',
  id: state.active?.id ?? '',
  status,
  summary: claim.reason,
  answer: claim.answer,
});
