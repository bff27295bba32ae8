/** The values that tests compare, as trials ask about them. */
import type { PlacedAlteration } from './alterable.ts';

/** Existing tests that failed before; or tests of the run that fail without its code, or with it altered. */
export type TestOrigin = 'existing' | 'own_code_missing' | 'own_code_altered';

/** A value that a failed test surely compares. */
export interface Compared {
  readonly path: string;
  /** The lines that a failure names. `moved`: how many lines above these the test stood before the run. */
  readonly lines: readonly number[];
  readonly moved: number;
  /** Other values for it, to be tried one at a time. */
  readonly alternatives: readonly PlacedAlteration[];
  /** False if the test did not run because its file could not be loaded. */
  readonly wasLoaded: boolean;
}

/** Alterations of what failed tests expect. */
export interface Expected {
  readonly compared: readonly Compared[];
  /** Alterations of their assertions where it is not sure what these compare. */
  readonly others: readonly PlacedAlteration[];
  /** Makes the proof's program fail after its last check; `null`: it has no such place. */
  readonly last: PlacedAlteration | null;
}
