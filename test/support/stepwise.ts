/** A run of which every step is taken by a process of its own, on the same disk. */
import { openRun, type RunGoalOptions, type RunResult } from '../../src/agent.ts';

/** More steps than any scenario takes. */
const MOST_STEPS = 600;

/**
 * Opens, takes one step and closes, again and again. Throws where the run has not ended after
 * `MOST_STEPS`.
 */
export async function runStepwise(options: RunGoalOptions): Promise<RunResult> {
  for (let step = 1; step <= MOST_STEPS; step += 1) {
    const run = await openRun(options);
    try {
      const result = run.result ?? (await run.takeStep());
      if (result !== null) return result;
    } finally {
      await run.close();
    }
  }
  throw new Error(`not at its end after ${MOST_STEPS} steps`);
}
