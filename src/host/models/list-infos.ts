import type { ModelInfo, Provider } from '../../llm/provider.ts';
import type { ListedModel } from '../providers/provider-row.ts';

const AT_ONCE = 6;

/** A server may list a model and then fail to describe it. */
export type ListedInfo = Omit<ModelInfo, 'capabilities'> & {
  readonly capabilities: ModelInfo['capabilities'] | null;
};

/** Every model of a provider with its description. Closes the provider. */
export async function infosOf(
  provider: Provider,
  signal: AbortSignal,
): Promise<readonly ListedInfo[]> {
  try {
    return provider.infos
      ? await provider.infos(signal)
      : await described(provider, await provider.list(signal), signal);
  } finally {
    await provider.close();
  }
}

async function described(
  provider: Provider,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly ListedInfo[]> {
  const infos: ListedInfo[] = names.map(unknown);
  const waiting = names.entries();
  const work = async (): Promise<void> => {
    for (const [index, name] of waiting)
      infos[index] = await provider.describe(name, signal).catch(() => unknown(name));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return infos;
}

const unknown = (model: string): ListedInfo => ({
  model,
  digest: null,
  contextWindow: null,
  capabilities: null,
});

export const listedModel = (
  name: string,
  { contextWindow, capabilities }: ListedInfo,
  price: ListedModel['price'],
): ListedModel => ({ name, contextWindow, capabilities, price });
