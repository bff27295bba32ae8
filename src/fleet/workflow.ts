/**
 * The workflow of a run, the same on every engine: slice after slice until the run ends, waits or pauses. A waiting run
 * occupies nobody: the event it waits for begins the workflow again.
 */
import type { FleetStanding, Slice } from './contract.ts';

/** What begins the workflow. */
export type Cause = 'submit' | 'again' | 'answer' | 'resume' | 'stop';

/** The stored facts about a run besides its request. */
export type StoredStanding = Pick<FleetStanding, 'slice' | 'isStopped'>;

/** The steps that the engine carries out for the workflow. */
export interface WorkflowSteps {
  /** One durable step: its outcome is stored, and it is not carried out again. */
  slice(): Promise<Slice>;
  keep(standing: StoredStanding): void;
  /** Begins the workflow again after that time. */
  again(afterMs: number): void;
}

/** The workflow then hands over to itself, so that no history of the engine grows. */
const MAX_SLICES = 200;
const BUSY_MS = 500;

export async function work(
  steps: WorkflowSteps,
  cause: Cause,
  before: StoredStanding | null,
): Promise<void> {
  if (before?.slice?.is === 'ended') return;
  if (cause === 'stop') return steps.keep({ slice: before?.slice ?? null, isStopped: true });
  if (before !== null && !isWanted(cause, before)) return;
  for (let count = 0; count < MAX_SLICES; count += 1) {
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

/** A late or repeated event does not wake a run that waits for a person. */
function isWanted(cause: Cause, { slice, isStopped }: StoredStanding): boolean {
  if (cause === 'answer' || cause === 'resume') return true;
  const isWaiting =
    slice?.is === 'waiting' || (slice?.is === 'pausing' && slice.retryAfterMs === undefined);
  return !isStopped && !isWaiting;
}

/** An unchanged standing is not worth an entry in the engine. */
export function isNews(kept: StoredStanding, before: StoredStanding | null): boolean {
  const isSame = kept.slice?.is === 'going_on' && before?.slice?.is === 'going_on';
  return !isSame || kept.isStopped !== before?.isStopped;
}
