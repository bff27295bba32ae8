import { chooseModel } from '../../llm/models/choose-model.ts';
import { knownModel } from '../../llm/models/known-models.ts';
import { type ModelInfo, type Provider, ProviderError } from '../../llm/provider.ts';
import type { OpenedModel, OpenModelRequest } from '../engine-port.ts';
import { described } from './described.ts';
import type { HostedAccount } from './hosted-account.ts';

/** What OpenRouter shows in its lists of applications. */
const OPENROUTER_HEADERS = { 'X-Title': 'Tardigrade' };

/**
 * Loads the API's client with its first request, not before. `onNotice` is told what a model does
 * not take and is therefore left out.
 */
export async function hostedProvider(
  account: HostedAccount,
  onNotice: (notice: string) => void = () => {},
): Promise<Provider> {
  const { name, apiKey, baseUrl } = account;
  const url = baseUrl === undefined ? {} : { baseUrl };
  if (name === 'anthropic') {
    const { anthropicProvider } = await import('../../llm/anthropic/anthropic-provider.ts');
    return completing(anthropicProvider({ apiKey, ...url }), account);
  }
  const { openAiProvider } = await import('../../llm/openai/openai-provider.ts');
  const headers = name === 'openrouter' ? { headers: OPENROUTER_HEADERS } : {};
  return completing(openAiProvider({ apiKey, name, onNotice, ...url, ...headers }), account);
}

/** `model: null` takes the first that the server has, which is for servers that have one. */
export async function openHosted(
  account: HostedAccount,
  { choice: { model }, baseUrl, report, signal }: OpenModelRequest,
): Promise<OpenedModel> {
  const provider = await hostedProvider(account, report ?? undefined);
  try {
    const requested = model ?? (await firstOf(provider, signal));
    const { info } = await chooseModel({ provider, requested, signal, isHosted: true });
    const notice = model === null ? `The server's first model is used: ${requested}.` : '';
    return {
      provider: described(provider, info),
      model: info.model,
      where: await addressOf(account),
      notice,
      ...(baseUrl === null ? {} : { baseUrl: await rememberedUrl(account) }),
      ignores: (provider.ignores?.(info.model) ?? []).map((setting) => `--${setting}`),
    };
  } catch (error) {
    await provider.close();
    throw error;
  }
}

async function firstOf(provider: Provider, signal: AbortSignal): Promise<string> {
  const [first] = await provider.list(signal);
  if (first !== undefined) return first;
  throw new ProviderError(
    { kind: 'model_error', retryable: false },
    'The server names no model.',
    'Name one with --model NAME.',
  );
}

/** Its models run elsewhere; what the API does not tell about them, the table may know. */
function completing(provider: Provider, account: HostedAccount): Provider {
  const infos = provider.infos?.bind(provider);
  const all = async (ask: NonNullable<typeof infos>, signal: AbortSignal) =>
    (await ask(signal)).map((info) => completed(info, account));
  return {
    ...provider,
    describe: async (model, signal) => completed(await provider.describe(model, signal), account),
    ...(infos ? { infos: (signal: AbortSignal) => all(infos, signal) } : {}),
  };
}

export function completed(
  info: ModelInfo,
  { name, baseUrl }: Pick<HostedAccount, 'name' | 'baseUrl'>,
): ModelInfo & { readonly isHosted: true } {
  const isOwnServer = name === 'openai' && baseUrl !== undefined;
  const known = isOwnServer ? null : knownModel(name, info.model);
  const contextWindow = info.contextWindow ?? known?.window ?? null;
  return { ...info, contextWindow, price: known?.price ?? info.price ?? null, isHosted: true };
}

/** For people: no name and no password in it. */
export async function addressOf({ name, apiKey, baseUrl }: HostedAccount): Promise<string> {
  if (name === 'anthropic') {
    const { ANTHROPIC_URL, accountOf } = await import('../../llm/anthropic/account.ts');
    return accountOf(apiKey, baseUrl ?? ANTHROPIC_URL, {}).shownUrl;
  }
  const { parseBaseUrl } = await import('../../llm/openai/base-url.ts');
  return parseBaseUrl(baseUrl).url;
}

/** As a journal may hold it: of what stands behind `?`, all but a version may be a key. */
export async function rememberedUrl(account: HostedAccount): Promise<string> {
  const { parseBaseUrl } = await import('../../llm/openai/base-url.ts');
  const version = parseBaseUrl(account.baseUrl).query['api-version'];
  const url = new URL(await addressOf(account));
  url.search = version === undefined ? '' : `api-version=${encodeURIComponent(version)}`;
  return url.href;
}
