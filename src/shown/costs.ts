import { count, plural } from '../lib/text/figures.ts';
import type { Usage } from '../schema/model/turn.ts';
import { tokensIn, tokensOut } from '../schema/model/usage.ts';
import type { RunState } from '../schema/state.ts';

/** Pure: tokens and money in words. A cached prompt counts as sent. */
export const tokensText = (usage: Usage): string =>
  `${count(tokensIn(usage))} tokens in, ${count(tokensOut(usage))} out`;

/** How many tokens were read from a cache, written to one, or thought; '' if none. */
export function classesText({ cacheRead, cacheWrite, thinking }: Usage): string {
  const parts = [
    ...(cacheRead > 0 ? [`${count(cacheRead)} read from cache`] : []),
    ...(cacheWrite > 0 ? [`${count(cacheWrite)} written to it`] : []),
    ...(thinking > 0 ? [`${count(thinking)} thinking`] : []),
  ];
  return parts.length === 0 ? '' : `of these ${parts.join(', ')}`;
}

/** `$0.0123`, `$1.50`. */
export const dollars = (usd: number): string => `$${usd.toFixed(usd > 0 && usd < 1 ? 4 : 2)}`;

/**
 * `$0.0123`; '' if no cost is known: an unknown cost is not shown as zero. A request that failed is no turn,
 * but may cost.
 */
export function costText({ cost }: Pick<RunState['usage'], 'cost'>): string {
  if (cost === undefined || (cost.usd === 0 && cost.unknownTurns > 0)) return '';
  const usd = dollars(cost.usd);
  return cost.unknownTurns === 0
    ? usd
    : `at least ${usd}: the cost of ${plural(cost.unknownTurns, 'request')} is unknown`;
}

/** What each of several models used and cost, by its role; no rows for a single model. */
export const modelRows = ({ byModel = {} }: RunState['usage']) =>
  Object.entries(byModel).map(([name, usage]) => {
    const [role, ...model] = name.split(' ');
    const words = [`${model.join(' ')}: ${tokensText(usage.total)}`, costText(usage)];
    return {
      name: role === 'plan' ? 'planned' : 'worked',
      words: words.filter(Boolean).join(', '),
    };
  });
