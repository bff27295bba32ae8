/**
 * The workflow of a run, the same on every engine: slice after slice until it ends, waits or pauses. A run that
 * waits is no work of anybody: whatever it waits for begins the workflow anew.
 */
import type { Slice, Standing } from './contract.ts';

/** What the workflow is begun by. */
export type Cause = 'submit' | 'again' | 'answer' | 'resume' | 'stop';

/** What is kept of a run beside its wish. */
export type Kept = Pick<Standing, 'slice' | 'isStopped'>;

/** What the engine does for it. */
export interface WorkflowSteps {
  /** One durable step: its outcome is kept, and it is not asked for again. */
  slice(): Promise<Slice>;
  keep(standing: Kept): void;
  /** Begins the workflow anew after that time. */
  again(afterMs: number): void;
}

/** Then the workflow hands over to itself, so no history of the engine grows. */
const MOST_SLICES = 200;
const BUSY_MS = 500;

export async function work(steps: WorkflowSteps, cause: Cause, before: Kept | null): Promise<void> {
  if (cause === 'stop') return steps.keep({ slice: before?.slice ?? null, isStopped: true });
  if (before !== null && !isWanted(cause, before)) return;
  for (let count = 0; count < MOST_SLICES; count += 1) {
    const slice = await steps.slice();
    steps.keep({ slice, isStopped: false });
    switch (slice.is) {
      case 'going_on':
        break;
      case 'ended':
      case 'waiting':
        return;
      case 'pausing':
        return slice.retryAfterMs === undefined ? undefined : steps.again(slice.retryAfterMs);
      case 'busy':
        return steps.again(slice.retryAfterMs ?? BUSY_MS);
      default:
        return slice satisfies never;
    }
  }
  steps.again(0);
}

/** What comes late, or twice, does not wake a run that waits for a person. */
function isWanted(cause: Cause, { slice, isStopped }: Kept): boolean {
  if (slice?.is === 'ended') return false;
  if (cause === 'answer' || cause === 'resume') return true;
  const isWaiting =
    slice?.is === 'waiting' || (slice?.is === 'pausing' && slice.retryAfterMs === undefined);
  return !isStopped && !isWaiting;
}

/** What says the same once more is not worth an entry of the engine. */
export function isNews(kept: Kept, before: Kept | null): boolean {
  const isSame = kept.slice?.is === 'going_on' && before?.slice?.is === 'going_on';
  return !isSame || kept.isStopped !== before?.isStopped;
}
