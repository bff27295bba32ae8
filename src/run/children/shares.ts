/** The limits of a child: its share of what is left of the parent's limits. Pure. */
import { defined } from '../../lib/defined.ts';
import { allTokens } from '../../schema/model/usage.ts';
import type { RunState } from '../../schema/state.ts';
import type { Child } from '../../schema/state-parts/children.ts';
import { usualRounds } from '../../steps/rounds.ts';
import type { Limits } from '../../steps/step.ts';

/**
 * A child may use, on top of what it has used already, an equal share of the rounds, tokens and money that are
 * left; time passes for all children at once. Without a limit of rounds each child has as many as any run.
 * @param open how many children have not ended, including those that have not begun
 */
export function shareOf(
  { usage, counters, settings }: Pick<RunState, 'usage' | 'counters' | 'settings'>,
  { maxRounds, maxTokens, maxCost, maxTimeMs }: Limits,
  { used, roundsBefore }: Pick<Child, 'used' | 'roundsBefore'>,
  { open, elapsedMs }: { readonly open: number; readonly elapsedMs: number },
): Limits {
  const each = (limit: number | undefined, spent: number): number | undefined =>
    limit === undefined ? undefined : Math.max(0, limit - spent) / open;
  const whole = (before: number, share: number | undefined): number | undefined =>
    share === undefined ? undefined : before + Math.floor(share);
  const cost = each(maxCost, usage.cost?.usd ?? 0);
  return defined({
    maxRounds:
      whole(used.rounds, each(maxRounds, counters.roundsSinceResume)) ??
      roundsBefore + usualRounds({ settings }),
    maxTokens: whole(allTokens(used.usage), each(maxTokens, allTokens(usage.total))),
    maxCost: cost === undefined ? undefined : (used.cost?.usd ?? 0) + cost,
    maxTimeMs:
      maxTimeMs === undefined ? undefined : used.workedMs + Math.max(0, maxTimeMs - elapsedMs),
  });
}
