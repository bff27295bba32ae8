/** The extra parts of `state.json` for people and other programs: written, never read back. */
import { type FactsDeps, gatherFacts } from '../probe/facts.ts';
import { statusOfTask } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';

/** The status of each task, and the probe's facts about files and commands. */
export function shownOf(state: RunState, deps: FactsDeps) {
  if (state.plan === null) return {};
  const facts = gatherFacts(state, deps);
  return {
    tasks: state.plan.tasks.map((task) => ({
      ...{ id: task.id, description: task.description, status: statusOfTask(task) },
    })),
    probe: {
      files_written: facts.files_written.names,
      files_exist: facts.files_exist.names,
      files_missing: facts.files_missing.names,
      commands_run: facts.commands_run.map(({ cmd, exitCode }) => `${cmd} -> rc=${exitCode}`),
      recent_errors: facts.recent_errors,
    },
  };
}
