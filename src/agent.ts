/** The life of a run: open it, choose a model, settle what a crash cut off, then step until it ends. */

import { removeLeftovers } from './evidence/trials/in-copy.ts';
import { interruptibleRunner } from './lib/interruptible.ts';
import { ownSignal } from './lib/own-signal.ts';
import { refuseWithoutPrice } from './llm/models/turn-cost.ts';
import { leftOf } from './round/model/wait.ts';
import { listenTo } from './round/person-says.ts';
import type { RunPorts } from './round/run-ports.ts';
import { oneStepAtATime } from './run/one-step.ts';
import {
  beginsAnew,
  type OpenedRun,
  openOrBegin as openJournal,
  startedEvent,
} from './run/open.ts';
import { type RunGoalOptions, type RunRequest, readOptions } from './run/options.ts';
import { resume } from './run/recovery/resume.ts';
import { type RunResult, resultOf } from './run/result.ts';
import { lookingSinceEnd } from './run/since-end.ts';
import { type ChosenModel, chooseFromCandidates } from './run/start/choose-model.ts';
import { recordSettings } from './run/start/configure.ts';
import { equip, holding } from './run/start/equip.ts';
import { adoptGivenPlan } from './run/start/given-plan.ts';
import { reportOtherProof, waitForProof } from './run/start/given-proof.ts';
import { instructionsFor } from './run/start/instruction-files.ts';
import { recordLimits, takeLease } from './run/start/lease.ts';
import { applyPermissions, reportPermissions } from './run/start/permissions.ts';
import { paused, pausedBy, takeStep } from './run/take-step.ts';
import { chooseSandbox, type SandboxChoice } from './run/tools/choose-sandbox.ts';
import { withWithheld } from './run/withheld-diffs.ts';

import type { Ended, RunState } from './schema/state.ts';
import { isFinished } from './schema/state-parts/untried.ts';

export type { RunGoalOptions } from './run/options.ts';
export type { RunResult } from './run/result.ts';

/** A run that this process owns: it holds the lock. */
export interface OwnedRun {
  /** Set if the run has ended already, or was paused while it was prepared; `null`: there is work to do. */
  readonly result: RunResult | null;
  /**
   * Performs exactly one durable step. `null` means that the run continues, with the next call or in another
   * process. Throws what `runGoal` throws, and E_USAGE while another step is under way or after `close`.
   * @param isDue tells whether the caller wants the run back; children then stop after their current step
   */
  takeStep(isDue?: () => boolean): Promise<RunResult | null>;
  /**
   * Milliseconds that the next step only waits; 0 when it has work to do. The caller may close the run and
   * reopen it after that time.
   */
  waitMs(): number;
  /** The state as the journal has it now. */
  state(): RunState;
  /** Stops background programs and servers, closes the journal and releases the lock. Further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Runs a goal to its end, a pause or an error: `runGoal({ goal, workspace, provider, model })`.
 * Throws `TardigradeError` (E_USAGE, E_WORKSPACE, E_LOCKED, E_JOURNAL_CORRUPT, E_JOURNAL_MISSING, E_STATE_GONE,
 * E_TOO_NEW, E_FOREIGN, E_DISK_FULL, E_IO, E_FENCED; E_INTERRUPTED when aborted before the run is open; the error
 * with which the signal was aborted, if it is one of these) and `ProviderError` when the model cannot even be
 * described. Nothing that was recorded is lost.
 */
export const runGoal = async (options: RunGoalOptions): Promise<RunResult> =>
  toItsEnd(await openOwnedRun(options));

export async function toItsEnd(run: OwnedRun): Promise<RunResult> {
  try {
    let { result } = run;
    while (result === null) result = await run.takeStep();
    return result;
  } finally {
    await run.close();
  }
}

/** Opens the run of a goal, or starts one, and prepares its next step. Throws what `runGoal` throws. */
export const openOwnedRun = (options: RunGoalOptions): Promise<OwnedRun> =>
  open(readOptions(options));

async function open(given: RunRequest): Promise<OwnedRun> {
  const stop = new AbortController();
  const request = { ...given, signal: ownSignal(given.signal, stop.signal) };
  const { candidates, limits, signal } = request;
  if (limits.maxCost !== undefined) await refuseWithoutPrice(candidates, signal);
  // If the model cannot even be described, no run is created and the current one stays current.
  const first = beginsAnew(request) ? await chooseFromCandidates(null, request) : null;
  // A missing sandbox must not create a run either.
  const early = first === null ? null : await chooseSandbox(request);
  const opened = await openJournal(request);
  return holding(opened, request, async ({ held, watch, close }) => {
    const watched = { ...request, signal: watch.signal };
    const { ended } = opened.context.state;
    const shown = (result: RunResult) =>
      withWithheld(result, { ...opened, fs: request.machine.fs });
    if (ended && isFinished(opened.context.state))
      return over(await shown(await endedAs(opened, ended, watched)), close);
    takeLease(opened, request);
    const isFresh = first !== null && !opened.isResumed;
    const known = { model: isFresh ? first : null, sandbox: early };
    const { run, model, sandbox } = await equip(held, opened, watched, known);
    const pausedFor = (error: unknown): RunResult => pausedBy(watch.reasonFor(error), run);
    const result = await begin(run, { opened, model, request, sandbox }).catch(pausedFor);
    held.stopListening = listenTo(request.inbox, run);
    const waitMs = () => leftOf(run.context.state.wait, request.machine.clock);
    const step: OwnedRun['takeStep'] = async (isDue = () => false) => {
      const children = { request: watched, open, isDue };
      const ending = await takeStep(run, children).catch(pausedFor);
      return ending === null ? null : shown(ending);
    };
    const taking = oneStepAtATime(step, { release: close, stop: () => stop.abort() });
    return { result, ...taking, waitMs, state: () => run.context.state };
  });
}

/** Repeating the goal of an achieved run checks its files again; asking only how a run ended does not. */
async function endedAs(
  { context, workspace }: OpenedRun,
  { ending }: Ended,
  { goal, run, signal, machine }: RunRequest,
): Promise<RunResult> {
  const result = resultOf(context, { ending: 'already_finished', detail: ending });
  if (ending !== 'achieved' || goal === null || run !== undefined) return result;
  const looking = lookingSinceEnd({ context, workspace, fs: machine.fs });
  const sinceEnd = await interruptibleRunner(machine.clock, signal)(looking);
  return { ...result, sinceEnd };
}

const over = (result: RunResult, close: OwnedRun['close']): OwnedRun => ({
  result,
  close,
  takeStep: async () => result,
  waitMs: () => 0,
  state: () => result.state,
});

interface Beginning {
  readonly opened: OpenedRun;
  readonly model: ChosenModel;
  readonly request: RunRequest;
  readonly sandbox: SandboxChoice;
}

/** Settles what a crash left open, then applies the settings and permissions of this start. */
async function begin(
  run: RunPorts,
  { opened, model, request, sandbox }: Beginning,
): Promise<RunResult | null> {
  await resume(run, opened, request.limits);
  applyPermissions(run, opened, request, sandbox);
  await removeLeftovers(run);
  recordSettings(run, model, request, instructionsFor(run, request));
  recordLimits(run, request);
  reportOtherProof(run, request);
  await adoptGivenPlan(run, request);
  for (const { name, status } of model.failed)
    run.context.record({ type: 'candidate_failed', ...name, status });
  reportPermissions(run, request, sandbox);
  run.emit(startedEvent(opened));
  const wait = await waitForProof(run);
  return wait === null ? null : paused(run, wait);
}
