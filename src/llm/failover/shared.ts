/**
 * Cooldowns that a profile's server requested from any of its users: each run obeys them as its own.
 */
import type { CandidateName } from '../../schema/events/events.ts';
import type { HealthByPart } from '../../schema/journal/waits.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';
import { cooledFor } from './health.ts';
import { verdictOf } from './retry.ts';

type Profile = Pick<CandidateName, 'provider' | 'profile'>;

/** Stored where all users of a profile see it. Neither call throws. */
export interface SharedCooldowns {
  /** Milliseconds until the profile may be asked; 0: now. */
  leftFor(profile: Profile): number;
  report(profile: Profile, ms: number): void;
}

/** @param now on the clock of `health` */
export const withShared = (
  health: HealthByPart,
  candidates: readonly CandidateName[],
  { shared, now }: { readonly shared: SharedCooldowns; readonly now: number },
): HealthByPart =>
  candidates.reduce(
    (known, one) => cooledFor(known, one, { ms: shared.leftFor(one), now }),
    health,
  );

/** Milliseconds of cooldown that a server requested from all users of that profile; 0: none. */
export function askedFor(status: TurnStatus): number {
  const verdict = verdictOf(status);
  return verdict.kind === 'cool' && verdict.fault === 'profile' ? verdict.atLeastMs : 0;
}
