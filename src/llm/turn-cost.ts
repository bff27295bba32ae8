// What a turn has cost, by the price of the model that answered. Pure.
import { TardigradeError } from '../schema/errors.ts';
import type { Usage } from '../schema/turn.ts';
import { costOf, knownModel } from './known-models.ts';

/** They run on the user's own machine, or not at all. */
const FREE: ReadonlySet<string> = new Set(['ollama', 'embedded', 'recorded']);

export interface PricedModel {
  readonly provider: string;
  readonly model: string;
}

/** For `turn_finished.cost`: dollars, `null` where the price is unknown, nothing where it is free. */
export function turnCost(
  { provider, model }: PricedModel,
  usage: Usage,
): { readonly cost?: number | null } {
  const { input, output, thinking, cacheRead, cacheWrite } = usage;
  const isUnused = input + output + thinking + cacheRead + cacheWrite === 0;
  if (FREE.has(provider) || isUnused) return {};
  const price = knownModel(provider, model)?.price ?? null;
  return { cost: price === null ? null : toNanodollars(costOf(usage, price)) };
}

/** Floating-point dust is not worth a place in the journal. */
const toNanodollars = (usd: number): number => Math.round(usd * 1e9) / 1e9;

/** Throws E_USAGE for the first model whose turns could not be counted against a limit of cost. */
export function refuseWithoutPrice(models: readonly PricedModel[]): void {
  const unknown = models.find(
    ({ provider, model }) => !FREE.has(provider) && !knownModel(provider, model)?.price,
  );
  if (unknown === undefined) return;
  throw new TardigradeError(
    'E_USAGE',
    `--max-cost cannot be kept: no price is known for ${unknown.provider} ${unknown.model}.`,
    'Use --max-tokens instead, or a model whose price is known.',
  );
}
