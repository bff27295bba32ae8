/**
 * Decides what a run does next. `steps/` decides it from the state alone; this module adds what only this
 * process knows: whether its caller stops it, the time, the candidates for a model and the rate limits that
 * other runs met.
 */
import { driverOf } from '../drivers/driver-of.ts';
import { TardigradeError } from '../lib/errors.ts';
import { nameOf } from '../llm/failover/candidate.ts';
import { withShared } from '../llm/failover/shared.ts';
import { canShorten, canShortenMore, outlookOf } from '../round/model/compact.ts';
import { candidateWays } from '../round/model/wait.ts';
import { waiting, wouldAsk } from '../round/permission/ask-first.ts';
import type { RunPorts } from '../round/run-ports.ts';
import { endsSubtask } from '../schema/capability.ts';
import type { RunState } from '../schema/state.ts';
import { beforeAttempt, stepAfterAttempt } from '../steps/attempts.ts';
import { isOnlyAnswer } from '../steps/gate/answered.ts';
import { withoutProof } from '../steps/gate/failing.ts';
import { failureUnseenBefore } from '../steps/gate/gate-of-words.ts';
import { allowedTargets, neededPermissions, notDone } from '../steps/gate/not-done.ts';
import { limitStep } from '../steps/limits.ts';
import { next } from '../steps/next.ts';
import { overflowStep } from '../steps/overflow.ts';
import { withAgreement } from '../steps/planning.ts';
import { withRole } from '../steps/role.ts';
import { roundLimit } from '../steps/rounds.ts';
import type { Step } from '../steps/step.ts';
import { toolNamed } from '../tools/toolset.ts';
import { withSwap } from './swap.ts';
import { isProofDueBefore } from './verify/proof-before.ts';

/** A caller that aborts gives its reason in an error of this name; otherwise a person stopped the run. */
const whoStopped = (reason: unknown): string =>
  reason instanceof Error && reason.name === 'Interruption'
    ? reason.message
    : 'stopped by the user';

/**
 * The pause of a run whose caller stops it. A caller that aborts with a `TardigradeError`, such as E_FENCED, gets that
 * error instead: it is not for this process to say that the run pauses.
 */
export function interruptedBy({ signal }: Pick<RunPorts, 'signal'>) {
  if (signal.reason instanceof TardigradeError) throw signal.reason;
  return { why: 'interrupted', detail: whoStopped(signal.reason) } as const;
}

/**
 * The next step of a run. Another one may come in its place: the swap of withheld files, a question about the plan, or
 * a model of another role. Throws the `TardigradeError` with which its caller aborted it.
 */
export function nextStep(run: RunPorts): Step {
  const { state } = run.context;
  return withSwap(withAgreement(withRole(beforeEnding(run), state), state), state);
}

/** Before a run ends, what may still help it: a permission that is given now, or a doubt that work can mend. */
function beforeEnding(run: RunPorts): Step {
  const step = nextAttempt(run);
  const { state } = run.context;
  const { permissions } = state;
  const driver = driverOf(state.settings);
  const isGivenUp =
    step.do === 'finish' ? !isAchieved(step, run) : step.do === 'pause' && step.why === 'stalled';
  // Work that waited for a permission is done before anything is claimed.
  const isEarly =
    step.do === 'verify' && permissions?.isRegained === true && notDone(state).length > 0;
  if (!isGivenUp && !isEarly) return step;
  // With the permission that was missing, the goal may still be reached.
  if (permissions?.isRegained)
    return (
      driver.permittedStep(state) ?? {
        do: 'replan',
        why: ['a permission that was missing is given now', allowedTargets(state).join('; ')]
          .filter(Boolean)
          .join(': '),
      }
    );
  const needed = neededPermissions(state);
  if (needed.length > 0) return waiting(needed);
  const doubt = step.do === 'finish' && step.ending === 'achieved' ? driver.doubtStep(state) : null;
  return doubt !== null && roundLimit(state, run.limits) === null ? doubt : step;
}

/** True when the run is about to claim the goal or an answer. */
const isAchieved = (step: Extract<Step, { do: 'finish' }>, { context }: RunPorts): boolean =>
  step.ending === 'answered' ||
  (step.ending === 'achieved' && context.state.verdict?.isProved !== false);

/** After a failed attempt: repeats the turn, waits, or switches to another model. */
function nextAttempt(run: RunPorts): Step {
  if (run.signal.aborted) return { do: 'pause', ...interruptedBy(run) };
  const known = withCooldowns(run);
  const after = stepAfterAttempt(known, candidateWays(run), boundsOf(run));
  if (after !== null && after !== 'again') return after;
  const step = nextWithinLimits(run, after === 'again');
  return step.do === 'ask'
    ? (beforeAttempt(known, candidateWays(run), boundsOf(run)) ?? step)
    : step;
}

/**
 * Adds rate-limit pauses of other runs that use the same profiles. If this run waits for one, its own journal
 * records the wait.
 */
function withCooldowns({ context: { state }, failover, cooldowns: shared }: RunPorts): RunState {
  if (shared === undefined) return state;
  const names = failover.candidates.map(nameOf);
  const health = withShared(state.ways.health, names, { shared, now: state.lastAt });
  return { ...state, ways: { ...state.ways, health } };
}

const boundsOf = ({ limits, elapsedMs }: RunPorts) => ({ limits, elapsedMs: elapsedMs() });

/**
 * What the state asks for, within the limits; a claim is verified, and tests are seen to fail before the work.
 *
 * @param isAgain the last turn failed and is repeated as if it had not happened
 */
function nextWithinLimits(run: RunPorts, isAgain: boolean): Step {
  const { state: known } = run.context;
  const state = isAgain ? { ...known, lastTurn: null } : known;
  const step = unlessAsked(next(state, run.limits, driverOf(state.settings)), run);
  const limit = limitStep(step, state, run.limits, run.elapsedMs());
  if (limit) return limit;
  if (step.do === 'finish' && step.ending === 'achieved' && state.verdict === null)
    return { do: 'verify' };
  if (step.do === 'finish' && step.ending === 'unverified' && !state.child && isOnlyAnswer(state))
    return state.verdict === null ? { do: 'verify' } : { ...step, ending: 'answered' };
  if (step.do === 'finish' && step.ending === 'failed' && isUnknown(state))
    return {
      ...step,
      ending: 'unverified',
      detail: `the proof could not be run: ${state.proof?.text}`,
    };
  if (step.do === 'execute' && isProofDueBefore(run, step.call)) return { do: 'prove_before' };
  if (step.do === 'run_children' && isProofDueBefore(run, null)) return { do: 'prove_before' };
  if (step.do === 'execute' && endsSubtask(toolNamed(run.tools, step.call.name) ?? {})) {
    const cmd = failureUnseenBefore(state);
    if (cmd !== null) return { do: 'look_as_found', cmd };
  }
  const isOverflow = step.do === 'pause' && step.why === 'context_overflow';
  if (step.do !== 'ask' && !isOverflow) return step;
  if (canShorten(run.context.state)) return { do: 'compact' };
  if (!isOverflow) return step;
  const over = overflowStep(state, outlookOf(state));
  return over.do === 'pause' && canShortenMore(state) ? { do: 'compact' } : over;
}

function unlessAsked(step: Step, run: RunPorts): Step {
  const { state } = run.context;
  const instead = step.do === 'prove' ? withoutProof(step, state) : null;
  return instead !== null && wouldAsk(state.plan?.proof ?? {}, run) ? instead : step;
}

/** A proof that could not run to its end says nothing either way. */
const isUnknown = ({ proof }: RunPorts['context']['state']): boolean =>
  proof !== null && !proof.passed && proof.red === 'unknown';
