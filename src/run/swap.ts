/** What a run changed in files that were there is kept only when it is proved or accepted. */
import { driverOf } from '../drivers/driver-of.ts';
import { interruptibleRunner } from '../lib/interruptible.ts';
import type { Run } from '../round/run.ts';
import { isSwapping, isWithheld } from '../schema/journal/swap.ts';
import type { RunState } from '../schema/state.ts';
import type { Step } from '../steps/step.ts';
import { swapDeps } from '../undo/open-run.ts';
import { bringingIn, finishing, withholding } from '../undo/swap.ts';
import { EXIT, EXIT_OF_ENDING, EXIT_OF_PAUSE } from './exit-codes.ts';
import { endOf } from './finish.ts';
import { recordsOf } from './records-of.ts';

/** Ends at which nothing was proved, and that no person and no failing machine brought about. */
const WITHHELD_AT: ReadonlySet<number> = new Set([
  ...[EXIT.failed, EXIT.limit, EXIT.stalled, EXIT.unverified],
]);

/** The step itself, or the swap that comes before it. */
export function withSwap(step: Step, state: RunState): Step {
  if (isSwapping(state) && state.swap) return { do: 'swap', to: state.swap.to };
  const exitCode = exitCodeAt(step, state);
  if (exitCode !== null && WITHHELD_AT.has(exitCode))
    return mustWithhold(state) ? { do: 'swap', to: 'before' } : step;
  // At every other pause the folder stays as it is.
  if (step.do === 'pause' || !isWithheld(state)) return step;
  return { do: 'swap', to: 'run' };
}

/** `null` for a step that does not end anything. */
function exitCodeAt(step: Step, state: RunState): number | null {
  if (step.do === 'pause') return EXIT_OF_PAUSE[step.why];
  return step.do === 'finish' ? EXIT_OF_ENDING[endOf(step, state).ending] : null;
}

function mustWithhold(state: RunState): boolean {
  const { swap, changedAt, keep, settings } = state;
  if (keep === true || !driverOf(settings).keepsOnlyProved || !hasChangedOriginals(state))
    return false;
  // Nothing has changed since the last look.
  const isLooked = swap?.to === 'before' && swap.seq > changedAt;
  return !isLooked && !isWithheld(state);
}

/** The run changed, moved or removed a file that was there, so that there may be something to withhold. */
function hasChangedOriginals({ files, commandChanges }: RunState): boolean {
  const byTools = Object.values(files).some(({ written, original }) => written && original != null);
  const byCommands = Object.values(commandChanges.files).some(
    ({ before, isUnseen }) => before !== null && !isUnseen,
  );
  return byTools || byCommands || commandChanges.more > 0;
}

type SwapPort = Pick<Run, 'context' | 'clock' | 'signal' | 'toolContext'>;

export async function swap(run: SwapPort, to: 'before' | 'run'): Promise<void> {
  const { context, clock, signal, toolContext } = run;
  const deps = swapDeps(context, toolContext);
  const runInterruptibly = interruptibleRunner(clock, signal);
  if (isSwapping(context.state)) return runInterruptibly(finishing(deps));
  await runInterruptibly(
    to === 'run'
      ? bringingIn(deps, false)
      : withholding(() => recordsOf({ context, ...toolContext }), deps),
  );
}
