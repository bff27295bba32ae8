/**
 * Splits long work into pieces: signals and timers run between them, and an interrupt ends the work there. What
 * is done by then is what a kill at that moment would leave.
 */
import { breather, type Clock } from './clock.ts';
import { TardigradeError } from './errors.ts';

/** Yields wherever it may be stopped; closes what it opened in a `finally`. */
export type Interruptible<Value> = Generator<void, Value, void>;

/** Runs such work to its end, with or without pauses. */
export type InterruptibleRunner = <Value>(work: Interruptible<Value>) => Promise<Value>;

/** Runs it in one go. */
export function runSync<Value>(work: Interruptible<Value>): Value {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** For callers that nobody interrupts. */
export const RUN_WITHOUT_PAUSES: InterruptibleRunner = async (work) => runSync(work);

/**
 * When aborted, throws E_INTERRUPTED into the work at its current position. Work of a single piece still
 * completes.
 */
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

export const interrupted = (): TardigradeError =>
  new TardigradeError(
    'E_INTERRUPTED',
    'Interrupted. Nothing that was recorded is lost.',
    'Run the same command again: it continues from there.',
  );

export const isInterrupt = (error: unknown): boolean =>
  error instanceof TardigradeError && error.code === 'E_INTERRUPTED';
