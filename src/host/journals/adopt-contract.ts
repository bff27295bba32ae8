/** Adopting a run that somebody else's agent began: what it would mean, and what became of it. */

export interface AdoptionPlan {
  /** True if there is nothing to adopt. */
  readonly isOwn: boolean;
  readonly goal: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The version of the program that began it, as the journal states. */
  readonly version: string;
  readonly records: number;
  readonly model: string | null;
  /** What the run would do first, one line each. */
  readonly next: readonly string[];
  readonly dropped: Dropped;
}

/** What no longer counts once a run is adopted, the first twenty of each. */
export interface Dropped {
  readonly addresses: readonly string[];
  readonly grants: readonly string[];
}

export interface AdoptRequest {
  readonly workspace: string;
  /** The id of the run to adopt, which becomes the current run. Left out: the current run. */
  readonly run?: string;
  readonly forceUnlock: boolean;
}

export interface AdoptionReport {
  readonly outcome: 'adopted' | 'own';
  readonly goal: string;
  readonly dropped: Dropped;
}
