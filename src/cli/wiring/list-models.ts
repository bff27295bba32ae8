import { TardigradeError } from '../../lib/errors.ts';
import { type ModelInfo, type Provider, ProviderError } from '../../llm/provider.ts';
import type { ListedModel, ListModelsRequest, ProviderListing } from '../engine-port.ts';
import type { Terminal } from '../terminal.ts';
import { type HostedName, hostedAccount } from './hosted-account.ts';
import { listEmbedded } from './list-embedded.ts';
import { addressOf, hostedProvider } from './open-hosted.ts';

/** For everything one provider is asked here; they are asked side by side. */
const PATIENCE_MS = 5000;
const AT_ONCE = 6;

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
  const { parseOllamaHost } = await import('../../llm/ollama/ollama-host.ts');
  const { ollamaProvider } = await import('../../llm/ollama/ollama-provider.ts');
  const where = parseOllamaHost(host ?? env.OLLAMA_HOST);
  const provider = ollamaProvider({ host: where });
  const infos = await infosOf(provider, signal);
  const models = infos.map((info) => listed(info.model, info, 'free'));
  const next = models.length > 0 ? '' : 'Get a small one: ollama pull qwen2.5-coder:1.5b';
  return { where, models, problem: models.length > 0 ? '' : 'no model is installed', next };
}

async function listHosted(
  name: HostedName,
  request: ListModelsRequest,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Listing> {
  // One address cannot be meant for all; it is usually a server that speaks OpenAI's language.
  const account = hostedAccount(name, name === 'openai' ? request.baseUrl : null, terminal);
  const infos = await infosOf(await hostedProvider(account), signal);
  const models = infos.map((info) => listed(`${name}/${info.model}`, info, priceOf(info)));
  return { where: await addressOf(account), models, problem: '', next: '' };
}

/** Nothing is asked for by a server that asks for nothing. */
const priceOf = ({ price }: Found): ListedModel['price'] =>
  price?.input === 0 && price.output === 0 ? 'free' : (price ?? null);

/** A model may be listed by a server that then does not describe it. */
type Found = Omit<ModelInfo, 'capabilities'> & {
  readonly capabilities: ModelInfo['capabilities'] | null;
};

/** Closes the provider. */
async function infosOf(provider: Provider, signal: AbortSignal): Promise<readonly Found[]> {
  try {
    return provider.infos
      ? await provider.infos(signal)
      : await described(provider, await provider.list(signal), signal);
  } finally {
    await provider.close();
  }
}

/** In the order of the names. */
async function described(
  provider: Provider,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const infos: Found[] = names.map(unknown);
  const waiting = names.entries();
  const work = async (): Promise<void> => {
    for (const [index, name] of waiting) {
      infos[index] = await provider.describe(name, signal).catch(() => unknown(name));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return infos;
}

const unknown = (model: string): Found => ({
  model,
  digest: null,
  contextWindow: null,
  capabilities: null,
});

const listed = (
  name: string,
  { contextWindow, capabilities }: Found,
  price: ListedModel['price'],
): ListedModel => ({ name, contextWindow, capabilities, price });
