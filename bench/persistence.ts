import type { Figure, Lab, Measurement } from './measurement.ts';
import { mean, median, rounded } from './support/statistics.ts';

const WINDOW_SHARE = 20;
const FLAT = 1.5;

/** The last twentieth of a long run against its first: what an action costs must not grow. */
export const persistence: Measurement = {
  name: 'persistence per action',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const { elapsedMs, cpuMs, writtenBytes, actions } = lab.longRun();
    const window = Math.max(1, Math.floor(actions / WINDOW_SHARE));
    const compare = (
      name: string,
      values: readonly number[],
      average: typeof mean,
      unit: string,
    ): Figure => {
      // The very first actions also pay for a cold compiler.
      const first = average(values.slice(window, 2 * window));
      const last = average(values.slice(-window));
      return {
        name,
        value: rounded(last / first),
        unit: '×',
        bound: FLAT,
        better: 'lower',
        detail: `${rounded(last, 3)} ${unit} / ${rounded(first, 3)} ${unit}, ${window} actions each, of ${actions}`,
      };
    };
    return [
      compare('time, last / first actions (median)', elapsedMs, median, 'ms'),
      compare('time without syncs, last / first actions (mean)', cpuMs, mean, 'ms'),
      compare('bytes written, last / first actions (mean)', writtenBytes, mean, 'bytes'),
    ];
  },
};
