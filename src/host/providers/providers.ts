/** The table of providers. No provider is loaded before it is asked for. */
import { resolve } from 'node:path';
import { defined } from '../../lib/defined.ts';
import { FIRST_MODEL, firstStepOf } from '../models/first-model.ts';
import { embeddedFile } from './embedded-name.ts';
import type { HostedAccount, HostedRow, ProviderRow } from './provider-row.ts';

const clients = () => import('./clients.ts');

export const PROVIDERS = {
  ollama: {
    kind: 'local',
    label: 'Ollama',
    example: FIRST_MODEL,
    hostVariable: 'OLLAMA_HOST',
    modelVariable: 'OLLAMA_MODEL',
    passedOn: /[:-]cloud$/,
    setup: 'model',
    firstModel: firstStepOf('ollama'),
    open: async (request, place) => (await clients()).openOllama(request, place),
    list: async (request, place) => (await clients()).listOllama(request, place),
  },
  anthropic: {
    kind: 'hosted',
    name: 'anthropic',
    label: 'Anthropic',
    example: 'anthropic/claude-sonnet-5-5',
    defaultModel: 'claude-sonnet-5-5',
    families: ['claude'],
    plainNames: /^claude-[\w.-]+$/,
    keyVariable: 'ANTHROPIC_API_KEY',
    urlVariable: 'ANTHROPIC_BASE_URL',
    connect: async (account) => {
      const { anthropicProvider } = await import('../../llm/anthropic/anthropic-provider.ts');
      return anthropicProvider(clientOptions(account));
    },
    address: async ({ apiKey, baseUrl }) => {
      const { ANTHROPIC_URL, accountOf } = await clients();
      return accountOf(apiKey, baseUrl ?? ANTHROPIC_URL, {}).publicUrl;
    },
  },
  openai: {
    kind: 'hosted',
    name: 'openai',
    label: 'OpenAI',
    example: 'openai/gpt-5-mini',
    defaultModel: 'gpt-5-mini',
    families: ['gpt', 'chatgpt', 'codex'],
    // `gpt-oss` has open weights and runs on the user's own servers.
    plainNames: /^(gpt-\d|chatgpt-|o\d(-|$))[\w.-]*$/,
    keyVariable: 'OPENAI_API_KEY',
    urlVariable: 'OPENAI_BASE_URL',
    isSpokenByOthers: true,
    connect: async (account, onNotice) => {
      const { openAiProvider } = await import('../../llm/openai/openai-provider.ts');
      return openAiProvider({ ...clientOptions(account), name: 'openai', onNotice });
    },
    address: compatibleAddress,
  },
  openrouter: {
    kind: 'hosted',
    name: 'openrouter',
    label: 'OpenRouter',
    example: 'openrouter/qwen/qwen3-coder',
    keyVariable: 'OPENROUTER_API_KEY',
    defaultUrl: 'https://openrouter.ai/api/v1',
    connect: async (account, onNotice) => {
      const { openAiProvider } = await import('../../llm/openai/openai-provider.ts');
      // OpenRouter shows this in its lists of applications.
      const headers = { 'X-Title': 'Tardigrade', ...account.headers };
      return openAiProvider({ ...clientOptions(account), name: 'openrouter', onNotice, headers });
    },
    address: compatibleAddress,
  },
  embedded: {
    kind: 'local',
    label: 'Embedded models',
    example: 'embedded:model.gguf, or embedded:qwen2.5-coder-1.5b to download one',
    setup: 'engine',
    file: 'FILE.gguf',
    resolveName: embeddedFile,
    open: async (request, place) => (await clients()).openEmbedded(request, place),
    list: async (_request, place) => (await clients()).listEmbedded(place),
  },
  recorded: {
    kind: 'playback',
    label: 'Recorded turns',
    example: 'recorded:turns.json',
    file: 'FILE',
    resolveName: (name, cwd) => resolve(cwd, name),
    open: async ({ model }) => (await import('./recorded.ts')).openRecorded(model ?? ''),
  },
} as const satisfies { readonly [name: string]: ProviderRow };

export type ProviderName = keyof typeof PROVIDERS;

/** In listing order. */
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly ProviderName[];

/** The provider of a plain name that belongs to none in particular. */
export const USUAL_PROVIDER: ProviderName = 'ollama';

/** The provider of a plain name that comes with the address of a server. */
export const COMPATIBLE_PROVIDER: ProviderName = 'openai';

/** The provider whose engine is a separate program that `agent setup` installs. */
export const EMBEDDED_PROVIDER = 'embedded' satisfies ProviderName;

export const isProviderName = (word: string): word is ProviderName =>
  Object.hasOwn(PROVIDERS, word);

/** A name that is not in the table is an OpenAI-compatible server of the user. */
export const rowOf = (name: string): ProviderRow =>
  isProviderName(name) ? PROVIDERS[name] : compatibleRow(name);

/** The names in `providers` of settings or of a call that are not in the table. */
export const furtherNames = (providers: { readonly [name: string]: unknown } = {}) =>
  Object.keys(providers).filter((name) => FURTHER_NAME.test(name) && !isProviderName(name));

export const FURTHER_NAME = /^[a-z][a-z0-9-]{0,63}$/;

const compatibleRow = (name: string): HostedRow => ({
  kind: 'hosted',
  name,
  label: name,
  example: `${name}/MODEL`,
  isSpokenByOthers: true,
  hasNoAddress: true,
  // The provider's key stands beside its address.
  keyVariable: '',
  connect: async (account, onNotice) => {
    const { openAiProvider } = await import('../../llm/openai/openai-provider.ts');
    return openAiProvider({ ...clientOptions(account), name, onNotice });
  },
  address: compatibleAddress,
});

/** What `agent setup` can install. */
export type SetupPart = {
  [Name in ProviderName]: (typeof PROVIDERS)[Name] extends { readonly setup: string }
    ? Name
    : never;
}[ProviderName];

export const SETUP_PARTS = PROVIDER_NAMES.filter(
  (name): name is SetupPart => 'setup' in PROVIDERS[name],
);

function clientOptions({ apiKey, baseUrl, headers }: HostedAccount) {
  return { apiKey, ...defined({ baseUrl, headers }) };
}

async function compatibleAddress({ baseUrl }: HostedAccount): Promise<string> {
  const { parseBaseUrl } = await clients();
  return parseBaseUrl(baseUrl).url;
}
