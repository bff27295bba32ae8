/** The candidates of a run or a conversation, and the one in use. Its journal records how they are doing. */
import type { Candidate } from './candidate.ts';

export interface Failover {
  readonly candidates: readonly Candidate[];
  /** Attempts of a turn, over all candidates; left out: as many as a run makes. */
  readonly most?: number | undefined;
  inUse(): Candidate;
  isInUse(index: number): boolean;
  use(index: number): void;
}

export function createFailover(
  candidates: readonly Candidate[],
  start: number,
  most?: number,
): Failover {
  let inUse = start;
  return {
    candidates,
    most,
    inUse: () => {
      const candidate = candidates[inUse];
      if (!candidate) throw new Error(`There is no candidate ${inUse}.`);
      return candidate;
    },
    isInUse: (index) => index === inUse,
    use: (index) => {
      inUse = index;
    },
  };
}
