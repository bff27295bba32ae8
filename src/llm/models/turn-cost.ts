// Pure: what a turn has cost, by the price of the model that answered.
import { misuse } from '../../lib/errors.ts';
import type { Price } from '../../schema/model/price.ts';
import type { Usage } from '../../schema/model/turn.ts';
import { type Provider, ProviderError } from '../provider.ts';
import { costOf, knownModel } from './known-models.ts';

/** Providers whose turns have no price of their own. */
const FREE: ReadonlySet<string> = new Set(['ollama', 'embedded', 'recorded']);

export interface PricedModel {
  readonly provider: string;
  readonly model: string;
  /** The price that the server reported. */
  readonly price?: Price | null | undefined;
}

/**
 * For `turn_finished.cost`: dollars, `null` if the price or the usage is unknown, nothing if the turn is
 * free.
 * @param isUncounted true if the model worked and no token was counted; a server that never counts is free
 */
export function turnCost(
  priced: PricedModel,
  usage: Usage,
  isUncounted = false,
): { readonly cost?: number | null } {
  const { input, output, thinking, cacheRead, cacheWrite } = usage;
  const isUnused = input + output + thinking + cacheRead + cacheWrite === 0;
  if (FREE.has(priced.provider)) return {};
  if (isUnused) return isUncounted ? { cost: null } : {};
  const price = priceOf(priced);
  return { cost: price === null ? null : toNanodollars(costOf(usage, price)) };
}

/** The table comes first: it also knows the price of long prompts. */
export const priceOf = ({ provider, model, price }: PricedModel): Price | null =>
  knownModel(provider, model)?.price ?? price ?? null;

/** Rounds away floating-point noise before it reaches the journal. */
const toNanodollars = (usd: number): number => Math.round(usd * 1e9) / 1e9;

interface PriceRequest {
  readonly provider: Pick<Provider, 'name' | 'describe'>;
  readonly model: string;
}

/**
 * Throws E_USAGE for the first model whose turns could not be counted against a cost limit. Only servers of models that
 * the table does not have are asked.
 */
export async function refuseWithoutPrice(
  models: readonly PriceRequest[],
  signal: AbortSignal,
): Promise<void> {
  for (const { provider, model } of models) {
    const { name } = provider;
    if (FREE.has(name) || priceOf({ provider: name, model }) !== null) continue;
    if ((await reportedPrice(provider, model, signal)) !== null) continue;
    throw misuse(
      `A cost limit cannot be enforced: no price is known for ${name} ${model}.`,
      'Use a model whose price is known, or limit the tokens instead.',
      { option: 'maxTokens' },
    );
  }
}

async function reportedPrice(
  provider: PriceRequest['provider'],
  model: string,
  signal: AbortSignal,
): Promise<Price | null> {
  try {
    return (await provider.describe(model, signal)).price ?? null;
  } catch (error) {
    if (error instanceof ProviderError && error.status.kind !== 'aborted') return null;
    throw error;
  }
}
