import type { LongRun } from './support/long-run.ts';

/** One number against its bound. `bound: null` is printed for information and always passes. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: '×' | 'ms' | 'MB' | '%' | 'calls' | 'bytes' | 'µs';
  readonly bound: number | null;
  readonly better: 'lower' | 'higher';
  /** What the number was made of. */
  readonly detail: string;
}

/** What the measurements share. */
export interface Lab {
  /** A fresh empty folder, removed at the end. */
  folder(): string;
  /** Actions of the long run. */
  readonly actions: number;
  /** Journalled once, for all who look at it. */
  longRun(): LongRun;
}

export interface Measurement {
  readonly name: string;
  /** Throws `Skipped` where it cannot be taken here. */
  measure(lab: Lab): Promise<readonly Figure[]>;
}

/** Why a measurement was not taken; shown, never silent. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

export function passes({ value, bound, better }: Figure): boolean {
  if (bound === null) return true;
  return better === 'lower' ? value <= bound : value >= bound;
}
