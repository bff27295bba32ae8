import type { Subtask } from '../../schema/plan.ts';

export type Gate =
  | { readonly allows: true; readonly evidence: boolean }
  | { readonly allows: false; readonly reason: string };

/** What a claim adds to the statement that the subtask is done. */
export interface ClaimDetails {
  /** The subtask of the claim; left out: the active one. */
  readonly subtask?: Subtask | undefined;
  readonly hasReason?: boolean;
  readonly hasAnswer?: boolean;
}
