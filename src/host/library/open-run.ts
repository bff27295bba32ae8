/** A run that a program carries out step by step: another process may take each step. */
import { type OwnedRun, openOwnedRun as open, type RunResult } from '../../agent.ts';
import { notify } from '../../lib/callback.ts';
import { resultBody } from '../../run/stream/result-body.ts';
import { stoppedOr } from './open-model.ts';
import {
  type GoalOptions,
  optionsFor,
  type ResumeOptions,
  type RunOutcome,
  runOutcomeOf,
} from './run-goal.ts';

/** A run that this process owns: it holds the lock. */
export interface ActiveRun extends Omit<OwnedRun, 'result' | 'takeStep'> {
  /** Set if the run has ended already, or was paused while it was prepared; `null`: there is work to do. */
  readonly result: RunOutcome | null;
  /**
   * Performs exactly one durable step. `null` means that the run continues, with the next call or in another
   * process. Throws what `runGoal` throws, and E_USAGE while another step is under way or after `close`.
   * @param isDue tells whether the caller wants the run back; children then stop after their current step
   */
  takeStep(isDue?: () => boolean): Promise<RunOutcome | null>;
}

/**
 * Opens or begins the run of a goal and holds its lock: call `takeStep` until it gives a result, then `close`. Between
 * two steps another process may open it instead. Throws what `runGoal` rejects with.
 */
export const openRun = (options: GoalOptions): Promise<ActiveRun> => opened('openRun', options);

/** The same for the current run of a folder, or the named one; a model left out is its former one. */
export const resumeAt = (options: ResumeOptions): Promise<ActiveRun> =>
  opened('resumeAt', { ...options, goal: null });

type Call = Parameters<typeof optionsFor>[1];

const opened = (name: string, call: Call): Promise<ActiveRun> =>
  openedFor(name, call).catch((error: unknown) => {
    throw stoppedOr(error);
  });

async function openedFor(name: string, call: Call): Promise<ActiveRun> {
  const signal = call?.signal ?? new AbortController().signal;
  const { options, machine, notice, close } = await optionsFor(name, call, signal);
  const began = machine.clock.monotonic();
  // A failing listener has nobody else to be reported to.
  const emit = notify(options.emit, () => {});
  if (notice !== '') emit({ type: 'notice', level: 'warning', text: notice });
  const outcome = (result: RunResult | null): RunOutcome | null => {
    if (result === null) return null;
    const elapsedMs = machine.clock.monotonic() - began;
    const { workspace } = options;
    return runOutcomeOf(result, resultBody(result, { elapsedMs, workspace, resume: null }));
  };
  try {
    const run = await open({ ...options, emit });
    return {
      ...run,
      result: outcome(run.result),
      takeStep: async (isDue) => outcome(await run.takeStep(isDue)),
      close: () => run.close().finally(() => close(null)),
    };
  } catch (error) {
    await close(null);
    throw error;
  }
}
