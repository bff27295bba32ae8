import { chooseModel } from '../../llm/models/choose-model.ts';
import { knownByName, knownModel } from '../../llm/models/known-models.ts';
import { parseBaseUrl } from '../../llm/openai/base-url.ts';
import { type ModelInfo, modelFault, type Provider } from '../../llm/provider.ts';
import { described } from '../models/described.ts';
import type { HostedAccount, HostedRow, MakeModelOptions, OpenedModel } from './provider-row.ts';

/** `onNotice` gets the settings that a model does not accept and that are therefore left out. */
export async function hostedProvider(
  row: HostedRow,
  account: HostedAccount,
  onNotice: (notice: string) => void = () => {},
): Promise<Provider> {
  return completing(await row.connect(account, onNotice), row, account);
}

/** `model: null` takes the first model of the server, for servers that have a single one. */
export async function openHosted(
  row: HostedRow,
  account: HostedAccount,
  { model, baseUrl, report, signal }: MakeModelOptions,
): Promise<OpenedModel> {
  const provider = await hostedProvider(row, account, report ?? undefined);
  try {
    const requested = model ?? (await firstOf(provider, signal));
    const info = await chooseModel({ provider, requested, signal, isHosted: true });
    const notice = model === null ? `The server's first model is used: ${requested}.` : '';
    return {
      provider: described(provider, info),
      model: info.model,
      where: await row.address(account),
      notice,
      ...(baseUrl === null ? {} : { baseUrl: await rememberedUrl(row, account) }),
      ignores: provider.ignores?.(info.model) ?? [],
    };
  } catch (error) {
    await provider.close();
    throw error;
  }
}

async function firstOf(provider: Provider, signal: AbortSignal): Promise<string> {
  const [first] = await provider.list(signal);
  if (first !== undefined) return first;
  throw modelFault('The server does not list any model.', 'Name one.', { option: 'model' });
}

/** Adds what our table knows about models that run elsewhere and that the API does not describe. */
function completing(provider: Provider, row: HostedRow, account: HostedAccount): Provider {
  const infos = provider.infos?.bind(provider);
  const all = async (ask: NonNullable<typeof infos>, signal: AbortSignal) =>
    (await ask(signal)).map((info) => completed(info, row, account));
  return {
    ...provider,
    describe: async (model, signal) =>
      completed(await provider.describe(model, signal), row, account),
    ...(infos ? { infos: (signal: AbortSignal) => all(infos, signal) } : {}),
  };
}

export function completed(
  info: ModelInfo,
  { name, isSpokenByOthers }: Pick<HostedRow, 'name' | 'isSpokenByOthers'>,
  { baseUrl }: Pick<HostedAccount, 'baseUrl'>,
): ModelInfo & { readonly isHosted: true } {
  const isOwnServer = isSpokenByOthers === true && baseUrl !== undefined;
  if (isOwnServer) return { ...byName(info), price: info.price ?? null, isHosted: true };
  const known = knownModel(name, info.model);
  const isByName = baseUrl !== undefined && byName(info).isKnownByName === true;
  const contextWindow = info.contextWindow ?? known?.window ?? null;
  return {
    ...info,
    contextWindow,
    price: known?.price ?? info.price ?? null,
    isHosted: true,
    ...(isByName ? { isKnownByName: true } : {}),
  };
}

/** A gateway forwards the names of models, but seldom their facts; it sets the price itself. */
function byName(info: ModelInfo): ModelInfo {
  const known = knownByName(info.model);
  if (known === null) return info;
  const { contextWindow } = info;
  if (contextWindow === null)
    return { ...info, contextWindow: known.window, isKnownByName: true, isWindowByName: true };
  return contextWindow >= known.window * MIN_SHARE ? { ...info, isKnownByName: true } : info;
}

/**
 * A gateway may report the prompt limit alone; one that reports less than this share serves another model under the
 * name.
 */
const MIN_SHARE = 0.5;

/** The address for the journal: everything after `?` except a version may be a key, so it is removed. */
export async function rememberedUrl(row: HostedRow, account: HostedAccount): Promise<string> {
  const version = parseBaseUrl(account.baseUrl).query['api-version'];
  const url = new URL(await row.address(account));
  url.search = version === undefined ? '' : `api-version=${encodeURIComponent(version)}`;
  return url.href;
}
