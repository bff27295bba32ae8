/** The limits of a child: its share of what is left of the parent's limits. Pure. */
import { defined } from '../../lib/defined.ts';
import type { RunState } from '../../schema/state.ts';
import { allTokens } from '../../steps/limits.ts';
import type { Limits } from '../../steps/step.ts';

/**
 * Rounds, tokens and money are shared equally; time passes for all children at once.
 * @param open how many children have not ended, including this one
 */
export function shareOf(
  { usage, counters }: Pick<RunState, 'usage' | 'counters'>,
  { maxRounds, maxTokens, maxCost, maxTimeMs }: Limits,
  { open, elapsedMs }: { readonly open: number; readonly elapsedMs: number },
): Limits {
  const each = (limit: number | undefined, used: number): number | undefined =>
    limit === undefined ? undefined : Math.max(0, limit - used) / open;
  const whole = (share: number | undefined): number | undefined => share && Math.floor(share);
  return defined({
    maxRounds: whole(each(maxRounds, counters.roundsSinceResume)),
    maxTokens: whole(each(maxTokens, allTokens(usage.total))),
    maxCost: each(maxCost, usage.cost?.usd ?? 0),
    maxTimeMs: maxTimeMs === undefined ? undefined : Math.max(0, maxTimeMs - elapsedMs),
  });
}
