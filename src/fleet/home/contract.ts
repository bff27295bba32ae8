/** Where a run lies between its slices, as a worker sees it. */

/** A run that this process alone may work on. */
export interface Claim {
  /** Absolute: where it lies here. */
  readonly workspace: string;
  /** Aborted: somebody else may soon have it. */
  readonly lost: AbortSignal;
  /**
   * Puts the run as it stands where the next worker finds it. Throws E_FENCED where another one has it by now,
   * E_IO where the home cannot be reached.
   * @param written paths that go with it whatever git would leave out
   */
  keep(written: readonly string[]): Promise<void>;
  /** The same, and it is nobody's from then on. */
  giveUp(written: readonly string[]): Promise<void>;
}

export interface Home {
  /**
   * Takes a run for this process, and brings it here. Throws E_LOCKED where another one has it, E_WORKSPACE where
   * the home does not have it, E_IO.
   */
  claim(run: string): Promise<Claim>;
}
