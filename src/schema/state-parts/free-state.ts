/** The part of the state that only the driver `free` writes. */
import type { Survey } from './run-facts.ts';

export interface FreeState {
  readonly survey: Survey;
  /** True once a change of a file had to wait for a plan: the model means work, whatever text comes. */
  readonly meansWork?: true;
  /** The doubt about its claim that the model was told once, and its answer. */
  readonly doubtTold?: { readonly words: string; readonly answer?: string };
}
