/** The part of the state that only the driver `free` writes. */
import type { Survey } from './run-facts.ts';

export interface FreeState {
  readonly survey: Survey;
  /** The doubt about its claim that the model was told once, and its answer. */
  readonly doubtTold?: { readonly words: string; readonly answer?: string };
}
