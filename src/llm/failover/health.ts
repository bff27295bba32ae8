// How profiles and models are doing, as far as their answers tell; pure.
import type { CandidateName } from '../../schema/events.ts';
import type { TurnStatus } from '../../schema/turn.ts';
import { cooldownMs, type Fault, verdictOf } from './retry.ts';

interface Condition {
  /** In a row. */
  readonly failures: number;
  /** Milliseconds on the monotonic clock; in the past: ready. */
  readonly coolsUntil: number;
  readonly isSkipped: boolean;
}

/** By profile, and by model on a profile. What is not in it is well. */
export type Health = { readonly [part: string]: Condition };

export const ALL_WELL: Health = {};

const WELL: Condition = {
  failures: 0,
  coolsUntil: Number.NEGATIVE_INFINITY,
  isSkipped: false,
};

const partOf = ({ provider, model, profile }: CandidateName, fault: Fault): string =>
  JSON.stringify(fault === 'profile' ? [provider, profile] : [provider, profile, model]);

/** After an attempt: a success heals, a failure cools its profile or its model, or ends its use. */
export function afterAttempt(
  health: Health,
  candidate: CandidateName,
  status: TurnStatus,
  now: number,
): Health {
  if (status.kind === 'success') return healed(health, candidate);
  const verdict = verdictOf(status);
  switch (verdict.kind) {
    case 'final':
    case 'again':
      return health;
    case 'skip': {
      const part = partOf(candidate, verdict.fault);
      return { ...health, [part]: { ...(health[part] ?? WELL), isSkipped: true } };
    }
    case 'cool': {
      const part = partOf(candidate, verdict.fault);
      const failures = (health[part] ?? WELL).failures + 1;
      const wait = Math.max(cooldownMs(failures), verdict.atLeastMs);
      return { ...health, [part]: { failures, coolsUntil: now + wait, isSkipped: false } };
    }
    default:
      return verdict satisfies never;
  }
}

function healed(health: Health, candidate: CandidateName): Health {
  const {
    [partOf(candidate, 'profile')]: _profile,
    [partOf(candidate, 'model')]: _model,
    ...rest
  } = health;
  return rest;
}

const conditionsOf = (health: Health, candidate: CandidateName): readonly Condition[] => [
  health[partOf(candidate, 'profile')] ?? WELL,
  health[partOf(candidate, 'model')] ?? WELL,
];

export const isSkipped = (health: Health, candidate: CandidateName): boolean =>
  conditionsOf(health, candidate).some((condition) => condition.isSkipped);

/** Milliseconds until it may be asked; 0: now. */
export const coolingMs = (health: Health, candidate: CandidateName, now: number): number =>
  Math.max(0, ...conditionsOf(health, candidate).map(({ coolsUntil }) => coolsUntil - now));
