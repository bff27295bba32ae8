/** A run of which every step is taken by a process of its own, on the same disk. */
import { openOwnedRun, type RunGoalOptions, type RunResult } from '../../src/agent.ts';

/** More steps than any scenario takes. */
const MAX_STEPS = 600;

/**
 * Opens, takes one step and closes, again and again. Throws where the run has not ended after
 * `MAX_STEPS`.
 * @param told what the process of a step is told; left out: all the same
 */
export async function runStepwise(
  options: RunGoalOptions,
  told: (options: RunGoalOptions, step: number) => RunGoalOptions = (same) => same,
): Promise<RunResult> {
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    const run = await openOwnedRun(told(options, step));
    try {
      const result = run.result ?? (await run.takeStep());
      if (result !== null) return result;
    } finally {
      await run.close();
    }
  }
  throw new Error(`not at its end after ${MAX_STEPS} steps`);
}
