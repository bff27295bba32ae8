/** A run that a program carries out step by step: another process may take each step. */
import { type ActiveRun, openRun as open } from '../../agent.ts';
import { notify } from '../../lib/callback.ts';
import { type GoalOptions, optionsFor, type ResumeOptions } from './run-goal.ts';

/**
 * Opens or begins the run of a goal and holds its lock: call `takeStep` until it gives a result, then `close`. Between
 * two steps another process may open it instead. Throws what `runGoal` rejects with.
 */
export const openRun = (options: GoalOptions): Promise<ActiveRun> => opened('openRun', options);

/** The same for the current run of a folder, or the named one; a model left out is its former one. */
export const resumeAt = (options: ResumeOptions): Promise<ActiveRun> =>
  opened('resumeAt', { ...options, goal: null });

async function opened(name: string, call: Parameters<typeof optionsFor>[1]): Promise<ActiveRun> {
  const signal = call?.signal ?? new AbortController().signal;
  const { options, notice, close } = await optionsFor(name, call, signal);
  // A failing listener has nobody else to be reported to.
  const emit = notify(options.emit, () => {});
  if (notice !== '') emit({ type: 'notice', level: 'warning', text: notice });
  try {
    const run = await open({ ...options, emit });
    return { ...run, close: () => run.close().finally(() => close(null)) };
  } catch (error) {
    await close(null);
    throw error;
  }
}
