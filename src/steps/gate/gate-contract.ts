import type { Subtask } from '../../schema/plan.ts';

export type Gate =
  | { readonly allows: true; readonly evidence: boolean }
  | { readonly allows: false; readonly reason: string };

/** What a claim says beside that the subtask is done. */
export interface ClaimDetails {
  /** Left out: of the active one. */
  readonly subtask?: Subtask | undefined;
  readonly hasReason?: boolean;
  readonly hasAnswer?: boolean;
}
