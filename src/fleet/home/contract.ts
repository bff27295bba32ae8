/** A run that only this process may work on. */
export interface RunClaim {
  /** Absolute: its folder here. */
  readonly workspace: string;
  /** Aborted: another worker may soon take it. */
  readonly lost: AbortSignal;
  /**
   * Stores the run where the next worker finds it. Throws E_FENCED if another worker has taken it, E_IO if the home
   * cannot be reached, E_USAGE if git cannot store one of its files.
   * @param written paths to include even if git would ignore them
   */
  keep(written: readonly string[]): Promise<void>;
  /** The same, and releases the run. */
  giveUp(written: readonly string[]): Promise<void>;
}
