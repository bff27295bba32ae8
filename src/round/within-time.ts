import type { RunPorts } from './run-ports.ts';

export type TimePort = Pick<RunPorts, 'signal' | 'clock' | 'limits' | 'elapsedMs'>;

/** Aborts work at the run's time limit, so that a hanging call does not outlive `maxTimeMs`. */
export async function withinTime<Result>(
  { signal, clock, limits: { maxTimeMs }, elapsedMs }: TimePort,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (maxTimeMs === undefined) return work(signal);
  const over = new AbortController();
  const done = new AbortController();
  const left = Math.max(0, maxTimeMs - elapsedMs());
  clock.sleep(left, AbortSignal.any([signal, done.signal])).then(
    () => over.abort(),
    () => {},
  );
  try {
    return await work(AbortSignal.any([signal, over.signal]));
  } finally {
    done.abort();
  }
}
