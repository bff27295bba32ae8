import type { Clock } from '../lib/clock.ts';
import { type OnDownload, progressLine } from '../llm/embedded/download-progress.ts';

/** Of the bytes a person hears every now and then; of everything else once. */
export function downloadReporter(
  report: (line: string) => void,
  everyMs: number,
  clock: Pick<Clock, 'monotonic'>,
): OnDownload {
  let start: { readonly at: number; readonly done: number } | null = null;
  let saidAt = Number.NEGATIVE_INFINITY;
  let lastKind = '';
  return (file, progress) => {
    const now = clock.monotonic();
    const isNews = progress.kind !== lastKind;
    lastKind = progress.kind;
    if (progress.kind !== 'bytes') {
      start = null;
      if (isNews || progress.kind === 'interrupted') report(progressLine(file, progress, 0));
      return;
    }
    start ??= { at: now, done: progress.done };
    const isLast = progress.done === progress.total;
    if (!isNews && !isLast && now - saidAt < everyMs) return;
    saidAt = now;
    const seconds = (now - start.at) / 1000;
    const speed = seconds < 0.5 ? 0 : (progress.done - start.done) / seconds;
    report(progressLine(file, progress, speed));
  };
}
