/** The limits of a child, set apart from what is left of those of its run. Pure. */
import { defined } from '../../lib/defined.ts';
import type { RunState } from '../../schema/state.ts';
import { allTokens } from '../../steps/limits.ts';
import type { Limits } from '../../steps/step.ts';

/**
 * Of rounds, tokens and money an equal share; time passes for all of them at once.
 * @param open children that have not ended, this one included
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
