/**
 * A slice for Temporal. Handing a run over costs more than most slices, and Temporal may give the next slice to another
 * worker. So an activity continues its run slice after slice, and holds it no longer than itself.
 *
 * 1. It sends heartbeats as long as it has the run, even while the run waits for its turn.
 * 2. If it is cancelled, it pauses the run; if the server gives it up, it releases the run.
 */
import type { Clock } from '../../lib/clock.ts';
import type { FleetRequest, Slice, Slices } from '../contract.ts';
import { type Activities, HEARTBEAT_MS } from './names.ts';
import type { WorkerSdk } from './sdk.ts';

export interface ActivityPorts {
  readonly slices: Slices;
  readonly clock: Pick<Clock, 'monotonic'> & Required<Pick<Clock, 'every'>>;
  /** The worker must stop: the current slice is the last one. */
  isStopping(): boolean;
}

/** After this time another worker may continue the run. */
const MAX_MS = 5 * 60_000;

export const activitiesOf = (
  sdk: Pick<WorkerSdk, 'Context'>,
  ports: ActivityPorts,
): Activities => ({
  advance: (request) => advance(sdk, request, ports),
  answer: (request, answer) => ports.slices.answer(request, answer),
});

async function advance(
  sdk: Pick<WorkerSdk, 'Context'>,
  request: FleetRequest,
  { slices, clock, isStopping }: ActivityPorts,
): Promise<Slice> {
  const context = sdk.Context.current();
  const over = new AbortController();
  const isCancelled = (): boolean => context.cancellationDetails?.cancelRequested === true;
  // Invariant 2.
  const givenUp = context.cancelled.catch(async () => {
    if (isCancelled()) await slices.pause(request.run).catch(() => {});
    over.abort();
  });
  const beat = (): void => context.heartbeat();
  beat();
  const stopBeats = clock.every(HEARTBEAT_MS, beat);
  const began = clock.monotonic();
  try {
    for (;;) {
      const slice = await slices.advance(request, over.signal);
      if (slice.is === 'ended') return slice;
      if (isCancelled()) {
        await givenUp;
        await context.cancelled;
      }
      const isLast = isStopping() || clock.monotonic() - began >= MAX_MS;
      if (slice.is !== 'going_on' || isLast) return slice;
    }
  } catch (error) {
    if (isCancelled()) await context.cancelled;
    throw error;
  } finally {
    await slices.release(request.run).catch(() => {});
    stopBeats();
  }
}
