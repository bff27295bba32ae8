/** What a run counts. */
export interface Counters {
  readonly rounds: number;
  /** Rounds in which the model was asked, since a person resumed the run. */
  readonly roundsSinceResume: number;
  /** Rounds since the model was last asked; left out if there are none. */
  readonly idleRounds?: number;
  readonly turns: number;
  /** Attempts of the current turn. */
  readonly attempts: number;
  /** Attempts of the turn that ended in a transient failure; left out if there are none. */
  readonly transientFailures?: number;
  /** Consecutive abandoned turns before the current one; left out if there are none. */
  readonly abandonedTurns?: number;
  readonly actions: number;
  /** Commands that were run, for the model or as a check. */
  readonly commands: number;
  readonly replans: number;
  readonly planTries: number;
  readonly proofTries: number;
  readonly compactions: number;
  /** Turns in a row whose calls could not be read. */
  readonly nativeFailures: number;
  /** Turns since the plan whose calls could be read, of this model under this driver. */
  readonly readCalls: number;
}
