/** Keeps a run's changes to existing files only when they are proved or accepted. */
import { driverOf } from '../drivers/driver-of.ts';
import { interruptibleRunner } from '../lib/interruptible.ts';
import type { RunPorts } from '../round/run-ports.ts';
import { isSwapping, isWithheld } from '../schema/journal/swap.ts';
import type { RunState } from '../schema/state.ts';
import type { Step } from '../steps/step.ts';
import { swapDeps } from '../undo/open-run.ts';
import { bringingIn, finishing, withholding } from '../undo/swap.ts';
import { EXIT, EXIT_OF_ENDING, EXIT_OF_PAUSE } from './exit-codes.ts';
import { endOf } from './finish.ts';
import { recordsOf } from './records-of.ts';

/** Endings without proof that neither a person nor a failure of the machine caused. */
const WITHHELD_AT: ReadonlySet<number> = new Set([
  ...[EXIT.failed, EXIT.limit, EXIT.stalled, EXIT.unverified],
]);

/** Returns the swap that must precede the step, or the step itself. */
export function withSwap(step: Step, state: RunState): Step {
  if (isSwapping(state) && state.swap) return { do: 'swap', to: state.swap.to };
  const exitCode = exitCodeAt(step, state);
  if (exitCode !== null && WITHHELD_AT.has(exitCode))
    return mustWithhold(state) ? { do: 'swap', to: 'before' } : step;
  // At any other pause the folder stays as it is.
  if (step.do === 'pause' || !isWithheld(state)) return step;
  return { do: 'swap', to: 'run' };
}

/** `null` if the step ends nothing. */
function exitCodeAt(step: Step, state: RunState): number | null {
  if (step.do === 'pause') return EXIT_OF_PAUSE[step.why];
  return step.do === 'finish' ? EXIT_OF_ENDING[endOf(step, state).ending] : null;
}

function mustWithhold(state: RunState): boolean {
  const { swap, changedAt, keep, settings } = state;
  if (keep === true || !driverOf(settings).keepsOnlyProved || !hasChangedOriginals(state))
    return false;
  // Nothing has changed since the last attempt to withhold.
  const isLooked = swap?.to === 'before' && swap.seq > changedAt;
  return !isLooked && !isWithheld(state);
}

/** True when the run changed, moved or removed an existing file, so that something may have to be withheld. */
function hasChangedOriginals({ files, commandChanges }: RunState): boolean {
  const byTools = Object.values(files).some(({ written, original }) => written && original != null);
  const byCommands = Object.values(commandChanges.files).some(
    ({ before, isUnseen }) => before !== null && !isUnseen,
  );
  return byTools || byCommands || commandChanges.more > 0;
}

type SwapPort = Pick<RunPorts, 'context' | 'clock' | 'signal' | 'toolContext'>;

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
