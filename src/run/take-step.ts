/** Performs exactly one durable step of a run: decides what comes next, carries it out and records it. */
import { driverOf } from '../drivers/driver-of.ts';
import { isTestPath } from '../languages/languages.ts';
import { runsTests } from '../languages/testing/test-runs.ts';
import { adviceIn, TardigradeError } from '../lib/errors.ts';
import { storageError } from '../lib/files/durable-files.ts';
import { isInterrupt } from '../lib/interruptible.ts';
import { systemErrorCode } from '../lib/system-error.ts';
import { nameOf } from '../llm/failover/candidate.ts';
import { withShared } from '../llm/failover/shared.ts';
import { canShorten, canShortenMore, outlookOf } from '../round/model/compact.ts';
import { waysOf } from '../round/model/wait.ts';
import { perform } from '../round/perform.ts';
import { askFirst, waiting } from '../round/permission/ask-first.ts';
import type { ReadyStep } from '../round/permission/judged-call.ts';
import { agreePlan } from '../round/plan/agree.ts';
import type { RunPorts } from '../round/run-ports.ts';
import { endsSubtask } from '../schema/capability.ts';
import type { BackgroundEnd } from '../schema/journal/background.ts';
import type { ToolCall } from '../schema/model/messages.ts';
import type { Proof } from '../schema/plan.ts';
import type { Paused, RunState } from '../schema/state.ts';
import { afterAttempt, beforeAttempt } from '../steps/attempts.ts';
import { isOnlyAnswer } from '../steps/gate/answered.ts';
import { dueChecks } from '../steps/gate/claim.ts';
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
import type { ChildPort } from './children/contract.ts';
import { joinChild } from './children/join.ts';
import { workChildren } from './children/work.ts';
import { finish } from './finish.ts';
import { type RunResult, resultOf } from './result.ts';
import { swap, withSwap } from './swap.ts';
import { recordVerdict } from './verify/record-verdict.ts';

/**
 * Returns `null` while the run continues. On return everything that the step did is in the journal, so this or
 * another process can continue from there. An ending or a pause is synced to disk; for other steps a caller
 * that needs that calls `context.sync`.
 */
export async function takeStep(run: RunPorts, children: ChildPort): Promise<RunResult | null> {
  const { state } = run.context;
  const step = await askFirst(
    withSwap(withAgreement(withRole(nextStep(run), state), state), state),
    run,
  );
  const ending = endsBackground(step, run.context.state);
  if (ending !== null) await run.background.end(ending);
  switch (step.do) {
    case 'verify':
      await recordVerdict(run, step.detail);
      return null;
    case 'swap':
      await swap(run, step.to);
      return null;
    case 'run_children':
      await workChildren(run, step.subtasks, children);
      return null;
    case 'join_child':
      await joinChild(run, step.subtask);
      return null;
    case 'agree_plan': {
      const open = await agreePlan(run);
      return open === null ? null : paused(run, open);
    }
    case 'finish':
      reportHooks(run);
      return finish(run, step);
    case 'pause': {
      const { do: _pause, ...why } = step;
      return paused(run, why);
    }
    default:
      await perform(step, run);
      return null;
  }
}

/** Background programs end before a proof, which must start what it needs itself, and none outlives the run. */
function endsBackground(step: ReadyStep, state: RunState): BackgroundEnd | null {
  switch (step.do) {
    case 'finish':
    case 'pause':
    case 'swap':
      return 'run';
    case 'verify':
    case 'prove':
    case 'prove_before':
      return 'proof';
    case 'check':
      return dueChecks(state)[step.index]?.isProof ? 'proof' : null;
    default:
      return null;
  }
}

/** A caller that aborts gives its reason in an error of this name; otherwise a person stopped the run. */
const whoStopped = (reason: unknown): string =>
  reason instanceof Error && reason.name === 'Interruption'
    ? reason.message
    : 'stopped by the user';

const interruptedBy = ({ signal }: Pick<RunPorts, 'signal'>) =>
  ({ why: 'interrupted', detail: whoStopped(signal.reason) }) as const;

function nextStep(run: RunPorts): Step {
  const step = nextWithin(run);
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

/** Throws the error with which the run was aborted: it is not for this process to say that the run pauses. */
function nextWithin(run: RunPorts): Step {
  if (run.signal.reason instanceof TardigradeError) throw run.signal.reason;
  if (run.signal.aborted) return { do: 'pause', ...interruptedBy(run) };
  const known = withCooldowns(run);
  const after = afterAttempt(known, waysOf(run), boundsOf(run));
  if (after !== null && after !== 'again') return after;
  const step = stepAsked(run, after === 'again');
  return step.do === 'ask' ? (beforeAttempt(known, waysOf(run), boundsOf(run)) ?? step) : step;
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

/** @param isAgain the last turn failed and is repeated as if it had not happened */
function stepAsked(run: RunPorts, isAgain: boolean): Step {
  const { state: known } = run.context;
  const state = isAgain ? { ...known, lastTurn: null } : known;
  const step = next(state, run.limits, driverOf(state.settings));
  const limit = limitStep(step, state, run.limits, run.elapsedMs());
  if (limit) return limit;
  if (step.do === 'finish' && step.ending === 'achieved' && state.verdict === null)
    return { do: 'verify', detail: step.detail };
  if (step.do === 'finish' && step.ending === 'unverified' && !state.child && isOnlyAnswer(state))
    return state.verdict === null
      ? { do: 'verify', detail: step.detail }
      : { ...step, ending: 'answered' };
  if (step.do === 'finish' && step.ending === 'failed' && isUnknown(state))
    return {
      ...step,
      ending: 'unverified',
      detail: `the proof could not be run: ${state.proof?.text}`,
    };
  if (step.do === 'execute' && isToBeSeenBefore(run, step.call)) return { do: 'prove_before' };
  if (step.do === 'run_children' && isToBeSeenBefore(run, null)) return { do: 'prove_before' };
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

/** A proof that could not run to its end says nothing either way. */
const isUnknown = ({ proof }: RunPorts['context']['state']): boolean =>
  proof !== null && !proof.passed && proof.red === 'unknown';

const MAX_FILES = 2000;

/**
 * Existing tests run once before the first call that may change something. A failure then and a pass later show
 * that the work was done.
 */
function isToBeSeenBefore(run: RunPorts, call: ToolCall | null): boolean {
  const { tools, world } = run;
  const { state } = run.context;
  const proof = state.plan?.proof;
  const isSeen = state.isProofSeenBefore || state.testsBeforePlan?.offset != null;
  if (!proof || isSeen || !runsTests(proof.cmd)) return false;
  if (call === null) return isUntouched(state) && world.files(MAX_FILES).some(isTestPath);
  const { name, args } = call;
  const { touches = 'nothing', isReadOnly } = toolNamed(tools, name) ?? {};
  if (touches === 'nothing' || touches === 'reads' || isReadOnly) return false;
  // A free driver's model may already have run commands before its plan, including the proof.
  const isLooking = driverOf(state.settings).callsTools && state.changedAt === 0;
  if (isLooking && state.commands.some(({ cmd }) => cmd === proof.cmd)) return false;
  if (isLooking && (isOf(proof, args) || looksAlone(run, args))) return false;
  const isRunAlready = !isLooking && state.counters.commands > 0;
  return !isRunAlready && isUntouched(state) && world.files(MAX_FILES).some(isTestPath);
}

const isUntouched = ({ files }: RunState): boolean =>
  Object.values(files).every((file) => !file.written);

/** If the call is the proof itself, it shows the result before the first change. */
const isOf = (proof: Proof, { cmd, stdin, cwd, background }: ToolCall['args']): boolean =>
  cmd === proof.cmd && stdin === proof.stdin && !cwd && background !== true;

/** Excludes tests, which may leave files behind. */
const looksAlone = ({ policy }: RunPorts, { cmd, cwd }: ToolCall['args']): boolean =>
  typeof cmd === 'string' &&
  !runsTests(cmd) &&
  policy.isReadOnly(cmd, typeof cwd === 'string' ? cwd : undefined);

/**
 * Turns a full disk into a pause, recorded with bytes that were reserved for this, and an interrupt between two
 * pieces of long work into a pause at that point. Other errors are rethrown; what the system refused becomes E_IO.
 */
export function pausedBy(cause: unknown, run: EndPort & Pick<RunPorts, 'signal'>): RunResult {
  const { context } = run;
  const isSystem = systemErrorCode(cause) !== '';
  const error = isSystem ? storageError(cause, 'working in the folder') : cause;
  if (isInterrupt(error)) return paused(run, interruptedBy(run));
  if (!(error instanceof TardigradeError) || error.code !== 'E_DISK_FULL') throw error;
  const { message, hint } = error;
  const full = { why: 'disk_full', detail: message, hint, ...adviceIn(error) } as const;
  context.record({ type: 'run_paused', ...full });
  context.sync('end');
  return resultOf(context, { ending: 'paused', ...full });
}

type EndPort = Pick<RunPorts, 'context' | 'emit' | 'hooks'>;

/** Reports git hooks that a command installed: they are in no list of changed files. */
function reportHooks({ emit, hooks }: EndPort): void {
  const text = hooks.changed();
  if (text !== null) emit({ type: 'notice', level: 'warning', text });
}

/** Ends this start; the run can go on. */
export function paused(run: EndPort, why: Paused): RunResult {
  const { context } = run;
  reportHooks(run);
  context.record({ type: 'run_paused', ...why });
  context.settle();
  return resultOf(context, { ending: 'paused', ...why });
}
