/**
 * Decides which commands of a run the engine repeats by itself in a copy of the workspace. Pure.
 * 1. A person's yes is for the call that was asked about, so it allows no repetition. A yes to everything
 *    counts if a sandbox holds the command.
 * 2. A command that only a rule of the user or the embedding program allows is not repeated if it would take
 *    effect outside of the copy.
 * 3. No repeated command leaves the sandbox, if there is one.
 */
import type { CallDecision, Decide } from '../tools/decision.ts';
import type { Policy } from './policy.ts';

interface Repeated {
  /** The policy of the copy. */
  readonly policy: Pick<Policy, 'decideNow'>;
  /** The policy of the copy without allow rules, and without the embedding program. */
  readonly withoutAllowRules: Pick<Policy, 'decideNow'>;
  /** The policy for a child run that works in a copy. */
  readonly ofChildCopy: Pick<Policy, 'decideNow'>;
  /** Everything that is asked is allowed, and a sandbox holds commands. */
  readonly isSandboxedYes: boolean;
}

const ONCE: CallDecision = {
  kind: 'deny',
  reason: 'It was allowed for that one call, so the command was not run again.',
  hint: '',
};

export const policyOfRepeats =
  ({ policy, withoutAllowRules, ofChildCopy, isSandboxedYes }: Repeated): Decide =>
  async (request) => {
    const said = policy.decideNow(request);
    if (said.kind === 'deny') return said;
    if (said.kind === 'ask' && !isSandboxedYes) return ONCE;
    const there = ofChildCopy.decideNow(request);
    return withoutAllowRules.decideNow(request).kind !== 'allow' && there.kind === 'deny'
      ? there
      : { kind: 'allow' };
  };
