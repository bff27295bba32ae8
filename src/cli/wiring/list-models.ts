import { knownModel } from '../../llm/known-models.ts';
import { type ModelInfo, type Provider, ProviderError } from '../../llm/provider.ts';
import { TardigradeError } from '../../schema/errors.ts';
import type { ListedModel, ListModelsRequest, ProviderListing } from '../engine-port.ts';
import type { Terminal } from '../terminal.ts';
import { type HostedAccount, type HostedName, hostedAccount } from './hosted-account.ts';
import { listEmbedded } from './list-embedded.ts';
import { addressOf, completed, hostedProvider } from './open-hosted.ts';

/** For everything one provider is asked here; they are asked side by side. */
const PATIENCE_MS = 5000;
const AT_ONCE = 6;
/** A server with fewer models may have been started with another window than theirs. */
const FEW = 4;

/** What is reachable from here. A provider that is not becomes one line that says what is missing. */
export async function listModels(
  request: ListModelsRequest,
  terminal: Terminal,
  patienceMs = PATIENCE_MS,
): Promise<readonly ProviderListing[]> {
  const ask = (provider: Name, look: (signal: AbortSignal) => Promise<Listing>) =>
    guarded(provider, request.signal, patienceMs, look);
  const hosted = (name: HostedName) =>
    ask(name, (signal) => listHosted(name, request, terminal, signal));
  return await Promise.all([
    ask('ollama', (signal) => listOllama(request, signal)),
    hosted('anthropic'),
    hosted('openai'),
    hosted('openrouter'),
    ask('embedded', async () => listEmbedded(terminal)),
  ]);
}

type Name = ProviderListing['provider'];
type Listing = Omit<ProviderListing, 'provider'>;

async function guarded(
  provider: Name,
  stop: AbortSignal,
  patienceMs: number,
  look: (signal: AbortSignal) => Promise<Listing>,
): Promise<ProviderListing> {
  const patience = AbortSignal.timeout(patienceMs);
  const signal = AbortSignal.any([stop, patience]);
  try {
    // Loading a client takes its time too, and cannot be told to stop.
    return { provider, ...(await Promise.race([look(signal), rejectedBy(signal)])) };
  } catch (error) {
    stop.throwIfAborted();
    const nothing = { provider, where: '', models: [] };
    if (patience.aborted) {
      const problem = `no answer within ${patienceMs / 1000} s`;
      return { ...nothing, problem, next: 'Look whether it is busy or its address is right.' };
    }
    if (!(error instanceof ProviderError) && !(error instanceof TardigradeError)) throw error;
    return { ...nothing, problem: error.message, next: error.hint };
  }
}

const rejectedBy = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

async function listOllama({ host, env }: ListModelsRequest, signal: AbortSignal): Promise<Listing> {
  const { parseOllamaHost } = await import('../../llm/ollama-host.ts');
  const { ollamaProvider } = await import('../../llm/ollama/ollama-provider.ts');
  const where = parseOllamaHost(host ?? env.OLLAMA_HOST);
  const provider = ollamaProvider({ host: where });
  try {
    const names = await provider.list(signal);
    const infos = await described(provider, names, signal);
    const models = infos.map((info, index) => listed(names[index] ?? '', info, 'free'));
    const next = models.length > 0 ? '' : 'Get a small one: ollama pull qwen2.5-coder:1.5b';
    return { where, models, problem: models.length > 0 ? '' : 'no model is installed', next };
  } finally {
    await provider.close();
  }
}

async function listHosted(
  name: HostedName,
  request: ListModelsRequest,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Listing> {
  // One address cannot be meant for all; it is usually a server that speaks OpenAI's language.
  const account = hostedAccount(name, name === 'openai' ? request.baseUrl : null, terminal);
  const infos = name === 'anthropic' ? await asked(account, signal) : await told(account, signal);
  const models = infos.map(({ info, model }) => {
    const whole = info === null ? null : completed(info, account);
    const window = completed({ ...UNKNOWN, model }, account).contextWindow;
    const shown = listed(`${name}/${model}`, whole, priceOf(account, model));
    return whole === null ? { ...shown, contextWindow: window } : shown;
  });
  return { where: await addressOf(account), models, problem: '', next: '' };
}

const UNKNOWN: Omit<ModelInfo, 'model'> = {
  digest: null,
  contextWindow: null,
  capabilities: { tools: true, schema: true, thinking: false },
};

/** A server of one's own may sell under a known name what it wants. */
function priceOf({ name, baseUrl }: HostedAccount, model: string): ListedModel['price'] {
  const isOwn = name === 'openai' && baseUrl !== undefined;
  return isOwn ? null : (knownModel(name, model)?.price ?? null);
}

interface Found {
  readonly model: string;
  readonly info: ModelInfo | null;
}

async function asked(account: HostedAccount, signal: AbortSignal): Promise<readonly Found[]> {
  const provider = await hostedProvider(account);
  try {
    const names = await provider.list(signal);
    const infos = await described(provider, names, signal);
    return names.map((model, index) => ({ model, info: infos[index] ?? null }));
  } finally {
    await provider.close();
  }
}

/** The list itself says all there is to know: hundreds of models are not asked about one by one. */
async function told(account: HostedAccount, signal: AbortSignal): Promise<readonly Found[]> {
  const { parseBaseUrl } = await import('../../llm/openai/base-url.ts');
  const { createClient } = await import('../../llm/openai/client.ts');
  const { failureOf, withoutSecrets } = await import('../../llm/openai/failures.ts');
  const { lookups } = await import('../../llm/openai/lookups.ts');
  const { modelInfo, usableModels, windowOf } = await import('../../llm/openai/models.ts');
  const base = parseBaseUrl(account.baseUrl);
  const { apiKey } = account;
  const authorization = apiKey === '' ? base.authorization : `Bearer ${apiKey}`;
  const client = createClient(base, authorization === null ? {} : { authorization });
  const failed = (thrown: unknown, model: string, signalled: AbortSignal) =>
    failureOf(thrown, { url: base.url, model }, signalled);
  const ask = lookups({ url: base.url, get: client.get, failureOf: failed });
  try {
    const all = await ask.models(signal);
    const names = usableModels(all);
    return await Promise.all(
      names.map(async (model) => {
        const row = all.find(({ id }) => id === model) ?? null;
        const window = row === null ? null : windowOf(row);
        const exact = all.length <= FEW ? (await ask.model(model, signal)).window : window;
        return { model, info: modelInfo(model, row, exact) };
      }),
    );
  } catch (thrown) {
    const secrets = [apiKey, base.authorization ?? ''].filter((secret) => secret.length >= 4);
    throw withoutSecrets(failed(thrown, '', signal).error, secrets);
  } finally {
    client.close();
  }
}

/** In the order of the names; `null` for one that cannot be described. */
async function described(
  provider: Provider,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly (ModelInfo | null)[]> {
  const infos: (ModelInfo | null)[] = names.map(() => null);
  const waiting = names.entries();
  const work = async (): Promise<void> => {
    for (const [index, name] of waiting) {
      infos[index] = await provider.describe(name, signal).catch(() => null);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return infos;
}

const listed = (
  name: string,
  info: ModelInfo | null,
  price: ListedModel['price'],
): ListedModel => ({
  name,
  contextWindow: info?.contextWindow ?? null,
  capabilities: info?.capabilities ?? null,
  price,
});
