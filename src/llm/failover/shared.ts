/** What the server of a profile asked of anybody who shares it: it counts for a run as if the run had been told. */
import type { CandidateName } from '../../schema/events/events.ts';
import type { Health } from '../../schema/journal/waits.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';
import { cooledFor } from './health.ts';
import { verdictOf } from './retry.ts';

type Profile = Pick<CandidateName, 'provider' | 'profile'>;

/** Kept where all who share profiles see it. Neither call throws. */
export interface SharedCooldowns {
  /** Milliseconds that it is to be left alone; 0: it may be asked. */
  leftFor(profile: Profile): number;
  report(profile: Profile, ms: number): void;
}

/** @param now on the clock of `health` */
export const withShared = (
  health: Health,
  candidates: readonly CandidateName[],
  { shared, now }: { readonly shared: SharedCooldowns; readonly now: number },
): Health =>
  candidates.reduce(
    (known, one) => cooledFor(known, one, { ms: shared.leftFor(one), now }),
    health,
  );

/** Milliseconds that a server asked to be left alone by whoever uses that profile; 0: it did not. */
export function askedFor(status: TurnStatus): number {
  const verdict = verdictOf(status);
  return verdict.kind === 'cool' && verdict.fault === 'profile' ? verdict.atLeastMs : 0;
}
