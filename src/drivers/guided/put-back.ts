/** Mending has not helped: what it broke comes back, before anything else is tried. */
import type { RunState } from '../../schema/state.ts';
import { replanOrFail } from '../../steps/replan.ts';
import { hasEndedWell, lastCommand } from '../../steps/select.ts';
import type { Step } from '../../steps/step.ts';

/** Only files of which this run wrote the present text: one that somebody changed since is left. */
export function giveUp(state: RunState, why: string): Step {
  const { best, isPutBack } = state.active ?? {};
  const command = lastCommand(state);
  if (!best || isPutBack || !command || hasEndedWell(command)) return replanOrFail(state, why);
  const files = Object.entries(best.since).flatMap(([path, hash]) => {
    const known = state.files[path];
    return hash !== null && known?.written && known.hash !== hash ? [{ path, hash }] : [];
  });
  return files.length > 0 ? { do: 'put_back', files } : replanOrFail(state, why);
}
