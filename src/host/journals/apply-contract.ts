import type { LeftAlone } from '../../schema/journal/swap.ts';
import type { Stamped } from '../../schema/records.ts';

export interface ApplyRequest {
  readonly workspace: string;
  readonly run?: string | undefined;
  readonly forceUnlock: boolean;
  /** Called for every record once it is durable. */
  onRecord(record: Stamped): void;
}

/** Paths that were applied, and paths that were left alone with their reasons. */
export interface ApplyReport {
  /** `left_alone`: nothing was applied, since somebody has changed each of its files. */
  readonly outcome: 'applied' | 'left_alone' | 'already_applied' | 'nothing_to_apply';
  /** Files that are as the run left them. */
  readonly applied: readonly string[];
  /** Files that somebody has changed since; they stay. */
  readonly leftAlone: readonly LeftAlone[];
}
