import type { Subtask } from '../schema/plan.ts';

export type Gate =
  | { readonly isOpen: true; readonly evidence: boolean }
  | { readonly isOpen: false; readonly reason: string };

/** What a claim says beside that the subtask is done. */
export interface ClaimDetails {
  /** Left out: of the active one. */
  readonly subtask?: Subtask | undefined;
  readonly hasReason?: boolean;
  readonly hasAnswer?: boolean;
}
