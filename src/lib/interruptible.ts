/**
 * Long work in pieces: signals and timers have their turn between two of them, and an interrupt ends it
 * there. What is done by then is what a kill in that instant would leave.
 */
import { breather, type Clock } from './clock.ts';
import { TardigradeError } from './errors.ts';

/** Yields wherever it may be left off; closes in a `finally` what it opened. */
export type Interruptible<Value> = Generator<void, Value, void>;

/** Does such work to its end, with pauses or without. */
export type InterruptibleRunner = <Value>(work: Interruptible<Value>) => Promise<Value>;

/** In one go. */
export function runSync<Value>(work: Interruptible<Value>): Value {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** For where nobody interrupts. */
export const RUN_WITHOUT_PAUSES: InterruptibleRunner = async (work) => runSync(work);

/** Aborted, it throws E_INTERRUPTED into the work where that stands; work of one piece is done all the same. */
export function interruptibleRunner(
  clock: Pick<Clock, 'now' | 'breathe'>,
  signal: AbortSignal,
): InterruptibleRunner {
  return (work) => withPauses(work, breather(clock), signal);
}

/** @param breathe as `breather` makes it */
export async function withPauses<Value>(
  work: Interruptible<Value>,
  breathe: () => Promise<void> | null,
  signal: AbortSignal,
): Promise<Value> {
  let step = work.next();
  while (!step.done) {
    const breath = breathe();
    if (breath !== null) await breath;
    step = signal.aborted ? work.throw(interrupted()) : work.next();
  }
  return step.value;
}

const interrupted = (): TardigradeError =>
  new TardigradeError(
    'E_INTERRUPTED',
    'Interrupted. Nothing that was recorded is lost.',
    'Run the same command again: it continues from there.',
  );

export const isInterrupt = (error: unknown): boolean =>
  error instanceof TardigradeError && error.code === 'E_INTERRUPTED';
