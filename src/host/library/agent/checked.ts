/** Checks the options of an agent before anything is opened. */

import { defined } from '../../../lib/defined.ts';
import { misuse } from '../../../lib/errors.ts';
import { isPlain } from '../../../lib/schemas/walk.ts';
import type { Provider } from '../../../llm/provider.ts';
import { checkOptions } from '../../../options/read.ts';
import type { KnownNames } from '../../../run/start/common-options.ts';
import { noAddress } from '../../providers/hosted-account.ts';
import { isProviderName } from '../../providers/providers.ts';
import { checkQuery, wrong } from '../checked-call.ts';
import { registeredFor } from '../registered-providers.ts';
import type { AIAgentOptions } from './contract.ts';

export const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' && value !== null && 'stream' in value && 'describe' in value;

/** Objects that are kept by reference. */
const isKept = (one: object): boolean =>
  isProvider(one) || 'execute' in one || 'processes' in one || ('tools' in one && 'name' in one);

const KNOWN: KnownNames<AIAgentOptions> = {
  config: true,
  providers: true,
  models: true,
  tools: true,
  systemPrompt: true,
  userPrompt: true,
  temperature: true,
  maxRetries: true,
  maxTurns: true,
  callbacks: true,
  workspace: true,
  allow: true,
  deny: true,
  canUseTool: true,
  yes: true,
  shell: true,
  signal: true,
  machine: true,
};

/** A frozen copy. Throws E_USAGE for invalid options. */
export function checkedAgentOptions(options: AIAgentOptions): AIAgentOptions {
  if (typeof options !== 'object' || options === null) throw wrong('the options', 'an object');
  const { providers, models, tools = [], config = {} } = options;
  if (!isPlain(config)) throw wrong('config', 'an object');
  isFull('providers', providers);
  isFull('models', models);
  for (const model of models)
    if (typeof model !== 'string' || model.trim() === '') throw wrong('models', 'a list of names');
  for (const provider of providers) checkProvider(provider, config);
  if (!Array.isArray(tools)) throw wrong('tools', 'a list of servers and tools');
  for (const tool of tools) checkTool(tool, config);
  checkTexts(options);
  checkRest(options);
  for (const name of ['maxRetries', 'maxTurns'] as const) {
    const count = options[name];
    if (count !== undefined && !(Number.isSafeInteger(count) && count >= 1))
      throw wrong(name, 'a whole number of at least 1');
  }
  const { callbacks } = options;
  if (callbacks?.onLog !== undefined && typeof callbacks.onLog !== 'function')
    throw wrong('callbacks.onLog', 'a function');
  return frozenCopy(options, isKept);
}

/** Checks the other options as for every other call. */
function checkRest(options: AIAgentOptions): void {
  const { config, temperature, allow, deny, yes, shell } = options;
  const accounts = Object.entries(config?.providers ?? {}).filter(([, one]) => !isProvider(one));
  const providers = Object.fromEntries(accounts);
  checkQuery('AIAgent.create', { ...options, providers }, KNOWN);
  checkOptions(defined({ temperature, allow, deny, yes, shell }));
}

function isFull(name: string, list: unknown): void {
  if (!Array.isArray(list) || list.length === 0)
    throw wrong(name, 'a list with at least one entry');
}

function checkProvider(
  provider: AIAgentOptions['providers'][number],
  { providers = {} }: NonNullable<AIAgentOptions['config']>,
): void {
  if (isProvider(provider)) return;
  if (typeof provider !== 'string') throw wrong('providers', 'a list of names and providers');
  const settings = providers[provider];
  const isKnown = isProvider(settings) || isProviderName(provider);
  if (isKnown || registeredFor(`${provider}/any`) !== null) return;
  // Any other name is an OpenAI-compatible server at the address in its settings.
  if (settings?.baseUrl) return;
  if (settings !== undefined) throw noAddress(provider);
  throw misuse(
    `There is no provider called "${provider}".`,
    'Put yours into config.providers, or register it with registerProvider.',
  );
}

function checkTool(
  tool: NonNullable<AIAgentOptions['tools']>[number],
  { mcpServers = {} }: NonNullable<AIAgentOptions['config']>,
): void {
  if (typeof tool === 'object' && tool !== null) return;
  if (typeof tool !== 'string') throw wrong('tools', 'a list of names of servers and of tools');
  if (Object.hasOwn(mcpServers, tool)) return;
  throw misuse(
    `There is no server called "${tool}".`,
    'A text in tools is the name of a server: put it into config.mcpServers.',
  );
}

function checkTexts({ systemPrompt, userPrompt, workspace }: AIAgentOptions): void {
  const texts = { systemPrompt, userPrompt, workspace };
  for (const [name, text] of Object.entries(texts))
    if (text !== undefined && typeof text !== 'string') throw wrong(name, 'a text');
  if ((userPrompt ?? systemPrompt ?? '').trim() === '')
    throw misuse(
      'There is nothing to say to the model.',
      'Give a userPrompt, or a systemPrompt alone.',
    );
}

/**
 * Copies and freezes lists and plain objects recursively. Instances of classes, functions and what `isKept` accepts
 * stay the same objects.
 */
function frozenCopy<Value>(value: Value, isKept: (one: object) => boolean): Value {
  if (Array.isArray(value))
    return Object.freeze(value.map((one) => frozenCopy(one, isKept))) as Value;
  if (!isPlain(value) || isKept(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, frozenCopy(one, isKept)]);
  return Object.freeze(Object.fromEntries(entries)) as Value;
}
