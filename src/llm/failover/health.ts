// Pure: the health of profiles and models, as far as their answers show it.
import type { CandidateName } from '../../schema/events/events.ts';
import type { Condition, HealthByPart } from '../../schema/journal/waits.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';
import { cooldownMs, type Fault, verdictOf } from './retry.ts';

const WELL: Condition = { failures: 0, coolsUntil: 0, coolsFor: 0, isSkipped: false };

const partOf = ({ provider, model, profile }: CandidateName, fault: Fault): string =>
  JSON.stringify(fault === 'profile' ? [provider, profile] : [provider, profile, model]);

/** After an attempt: a success heals; a failure cools down its profile or its model, or ends its use. */
export function healthAfterAttempt(
  health: HealthByPart,
  candidate: CandidateName,
  status: TurnStatus,
  now: number,
): HealthByPart {
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
      const coolsFor = Math.max(cooldownMs(failures), verdict.atLeastMs);
      const cools = { failures, coolsUntil: now + coolsFor, coolsFor, isSkipped: false };
      const asked = verdict.atLeastMs > 0 ? ({ isAsked: true } as const) : {};
      return { ...health, [part]: { ...cools, ...asked } };
    }
    default:
      return verdict satisfies never;
  }
}

function healed(health: HealthByPart, candidate: CandidateName): HealthByPart {
  const {
    [partOf(candidate, 'profile')]: _profile,
    [partOf(candidate, 'model')]: _model,
    ...rest
  } = health;
  return rest;
}

const conditionsOf = (health: HealthByPart, candidate: CandidateName): readonly Condition[] => [
  health[partOf(candidate, 'profile')] ?? WELL,
  health[partOf(candidate, 'model')] ?? WELL,
];

export const isCandidateSkipped = (health: HealthByPart, candidate: CandidateName): boolean =>
  conditionsOf(health, candidate).some((condition) => condition.isSkipped);

/** Milliseconds until it may be asked; 0: now. A clock that was set back does not prolong this. */
export const coolingMs = (health: HealthByPart, candidate: CandidateName, now: number): number =>
  Math.max(0, ...conditionsOf(health, candidate).map((one) => leftOf(one, now)));

const leftOf = ({ coolsUntil, coolsFor }: Condition, now: number): number =>
  Math.min(coolsUntil - now, coolsFor);

/** Lets the profile cool down for `ms`; a longer cooldown stays. */
export function cooledFor(
  health: HealthByPart,
  candidate: CandidateName,
  { ms, now }: { readonly ms: number; readonly now: number },
): HealthByPart {
  const part = partOf(candidate, 'profile');
  const known = health[part] ?? WELL;
  if (ms <= leftOf(known, now)) return health;
  return { ...health, [part]: { ...known, coolsUntil: now + ms, coolsFor: ms } };
}

/** The state once a wait is over, whatever the clock says. */
export const readyUntil = (health: HealthByPart, until: number): HealthByPart =>
  mapped(health, (one) => (one.coolsUntil <= until ? { ...one, coolsUntil: 0 } : one));

/** A person has dealt with it: only a wait that a server requested still counts. */
export const afterPause = (health: HealthByPart): HealthByPart =>
  Object.fromEntries(
    Object.entries(health).flatMap(([part, one]) =>
      one.isAsked && one.coolsUntil > 0 ? [[part, { ...one, failures: 0, isSkipped: false }]] : [],
    ),
  );

/** Keeps the health of a candidate whose name changes. */
export function calledAnew(
  health: HealthByPart,
  was: CandidateName,
  is: CandidateName,
): HealthByPart {
  const names = new Map(FAULTS.map((fault) => [partOf(was, fault), partOf(is, fault)]));
  return Object.fromEntries(
    Object.entries(health).map(([part, one]) => [names.get(part) ?? part, one]),
  );
}

const FAULTS = ['profile', 'model'] as const;

/** Forgets the model's own health, because with other settings it counts as another model. */
export function withoutModel(health: HealthByPart, candidate: CandidateName): HealthByPart {
  const { [partOf(candidate, 'model')]: _model, ...rest } = health;
  return rest;
}

const mapped = (health: HealthByPart, change: (one: Condition) => Condition): HealthByPart =>
  Object.fromEntries(Object.entries(health).map(([part, one]) => [part, change(one)]));
