import type { Clock } from '../../lib/clock.ts';
import { bytesText } from '../../lib/text/bytes-text.ts';
import { type OnDownload, progressLine } from '../../llm/embedded/download-progress.ts';
import type { PullProgress } from '../../llm/ollama/pull.ts';
import type { Download } from './download.ts';

type ReportOptions = Pick<Download, 'report' | 'everyMs'>;
type Ticks = Pick<Clock, 'monotonic'>;

/** Reports the bytes at intervals, and everything else once. */
export function downloadReporter({ report, everyMs }: ReportOptions, clock: Ticks): OnDownload {
  const speedOf = speedometer(everyMs, clock);
  let lastKind = '';
  return (file, progress) => {
    const isNews = progress.kind !== lastKind;
    lastKind = progress.kind;
    if (progress.kind === 'bytes') {
      const speed = speedOf(progress, isNews);
      if (speed !== null) report({ text: progressLine(file, progress, speed), isReplaced: true });
    } else if (isNews || progress.kind === 'interrupted') {
      report({ text: progressLine(file, progress, 0), isReplaced: false });
    }
  };
}

/** Bytes of parts that arrive at once and are not reported: a template, a licence. */
const SMALL = 1_000_000;

/** The same for a model that Ollama downloads. */
export function pullReporter(
  model: string,
  { report, everyMs }: ReportOptions,
  clock: Ticks,
): (progress: PullProgress) => void {
  const speedOf = speedometer(everyMs, clock);
  let part = '';
  return (progress) => {
    switch (progress.kind) {
      case 'bytes': {
        if (progress.total < SMALL) return;
        const speed = speedOf(progress, progress.part !== part);
        part = progress.part;
        if (speed === null) return;
        return report({ text: `${model}: ${bytesText(progress, speed)}`, isReplaced: true });
      }
      case 'step':
        return report({ text: `${model}: ${progress.text}`, isReplaced: false });
      case 'interrupted': {
        part = '';
        const seconds = Math.ceil(progress.waitMs / 1000);
        return report({ text: `${progress.why} Continuing in ${seconds} s`, isReplaced: false });
      }
      default:
        return progress satisfies never;
    }
  };
}

/** Bytes per second since the first ones; `null` if it is too early for another report. */
function speedometer(everyMs: number, clock: Ticks) {
  let start = { at: 0, done: 0 };
  let saidAt = Number.NEGATIVE_INFINITY;
  return (
    { done, total }: { readonly done: number; readonly total: number },
    isNews: boolean,
  ): number | null => {
    const now = clock.monotonic();
    if (isNews) start = { at: now, done };
    if (!isNews && done !== total && now - saidAt < everyMs) return null;
    saidAt = now;
    const seconds = (now - start.at) / 1000;
    return seconds < 0.5 ? 0 : (done - start.done) / seconds;
  };
}
