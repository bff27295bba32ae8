/** What the state of a goal has that the driver `free` alone writes. */
import type { Survey } from './run-facts.ts';

export interface FreeState {
  readonly survey: Survey;
  /** What stands against its claim, as the model was told once, and what it said to that. */
  readonly doubtTold?: { readonly words: string; readonly answer?: string };
}
