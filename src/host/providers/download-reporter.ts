import type { Clock } from '../../lib/clock.ts';
import type { OnDownload } from '../../llm/models/download-progress.ts';
import type { Download } from './download.ts';

/** Reports the bytes at intervals, with their speed since the part began or went on, and everything else at once. */
export function downloadReporter(
  { report, everyMs }: Pick<Download, 'report' | 'everyMs'>,
  clock: Pick<Clock, 'monotonic'>,
): OnDownload {
  let part = '';
  let start = { at: 0, done: 0 };
  let saidAt = 0;
  return (progress) => {
    if (typeof progress === 'string') {
      part = '';
      return report({ text: progress, isReplaced: false });
    }
    const { name, done, total } = progress;
    const now = clock.monotonic();
    const isNews = progress.part !== part;
    if (!isNews && done !== total && now - saidAt < everyMs) return;
    if (isNews) start = { at: now, done };
    part = progress.part;
    saidAt = now;
    const seconds = (now - start.at) / 1000;
    const speed = seconds < 0.5 ? 0 : (done - start.done) / seconds;
    report({ text: `${name}: ${bytesText(progress, speed)}`, isReplaced: true });
  };
}

const MEGABYTE = 1_000_000;

/** `34 % of 1322 MB, 20.0 MB/s, 44 s left`. `speed` is in bytes a second, 0 if unknown. */
function bytesText(
  { done, total }: { readonly done: number; readonly total: number },
  speed: number,
): string {
  const percent = total > 0 ? Math.floor((100 * done) / total) : 100;
  const far = `${percent} % of ${Math.ceil(total / MEGABYTE)} MB`;
  if (speed <= 0) return far;
  const seconds = Math.ceil((total - done) / speed);
  const left = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `${far}, ${(speed / MEGABYTE).toFixed(1)} MB/s, ${left} left`;
}
