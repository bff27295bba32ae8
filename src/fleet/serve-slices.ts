/**
 * The other side of a worker's pool: a process in which runs are open.
 *
 * 1. If its worker has gone, it releases every run and exits, so that nobody who continues them has to wait.
 */
import { thrownText } from '../lib/callback.ts';
import type { Clock } from '../lib/clock.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { Slices } from './contract.ts';
import { BEAT_MS, ORPHANED, type Order, type Report, SILENT_MS } from './messages.ts';

export interface WorkerSide {
  send(report: Report): void;
  /** Called with each message of the worker; `null`: the worker has gone. */
  listen(listener: (order: Order | null) => void): void;
}

/** Resolves once the worker has gone and every run is released. */
export function serveSlices(
  slices: Slices,
  worker: WorkerSide,
  clock: Pick<Clock, 'monotonic'> & Required<Pick<Clock, 'every'>>,
): Promise<void> {
  const underWay = new Map<number, AbortController>();
  const runs = new Set<string>();
  let heardAt = clock.monotonic();
  return new Promise((resolve) => {
    const stop = clock.every(BEAT_MS, () => {
      worker.send({ beat: true });
      if (clock.monotonic() - heardAt >= SILENT_MS) end();
    });
    const end = (): void => {
      stop();
      for (const one of underWay.values()) one.abort(ORPHANED);
      const released = [...runs].map((run) => slices.release(run));
      void Promise.allSettled(released).then(() => resolve());
    };
    const carryOut = async (order: Exclude<Order, { do: 'beat' | 'leave' }>) => {
      if (order.do === 'advance') {
        const stopped = new AbortController();
        underWay.set(order.id, stopped);
        runs.add(order.request.run);
        return { slice: await slices.advance(order.request, stopped.signal) };
      }
      if (order.do === 'answer') return { done: await slices.answer(order.request, order.answer) };
      await slices[order.do](order.run);
      return { done: null };
    };
    worker.listen((order) => {
      if (order === null) return end();
      heardAt = clock.monotonic();
      if (order.do === 'beat') return;
      if (order.do === 'leave') return underWay.get(order.id)?.abort();
      const { id } = order;
      void carryOut(order)
        .then(
          (answer) => worker.send({ id, ...answer }),
          (error: unknown) => worker.send({ id, failed: factsOf(error) }),
        )
        .finally(() => underWay.delete(id));
    });
  });
}

const factsOf = (error: unknown) => ({
  code: error instanceof TardigradeError ? error.code : 'E_INTERNAL',
  message: thrownText(error),
});
