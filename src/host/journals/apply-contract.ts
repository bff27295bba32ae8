import type { LeftAlone } from '../../schema/journal/swap.ts';
import type { Stamped } from '../../schema/records.ts';

export interface ApplyRequest {
  readonly workspace: string;
  /** The id of another run than the current one. */
  readonly run?: string | undefined;
  readonly forceUnlock: boolean;
  /** Told of every record after it became durable. */
  onRecord(record: Stamped): void;
}

/** Paths that were applied, and those that were left alone, each with the reason. */
export interface ApplyReport {
  readonly outcome: 'applied' | 'already_applied' | 'nothing_to_apply';
  /** Files that are as the run had left them. */
  readonly applied: readonly string[];
  /** Files that somebody has changed since, and stay. */
  readonly leftAlone: readonly LeftAlone[];
}
