import { resolve } from 'node:path';
import { isSameGoal } from '../journal/goal-id.ts';
import { TardigradeError } from '../lib/errors.ts';
import { isHubName, parseHubName, SHORT_NAMES } from '../llm/embedded/hub-file.ts';
import type { RunState } from '../schema/state.ts';
import type { ModelChoice, ProviderName } from './engine-port.ts';

const EXAMPLES: { readonly [P in ProviderName]: string } = {
  ollama: 'qwen2.5-coder:1.5b',
  anthropic: 'anthropic/claude-sonnet-5-5',
  openai: 'openai/gpt-5-mini',
  openrouter: 'openrouter/qwen/qwen3-coder',
  embedded: 'embedded:model.gguf, or embedded:qwen2.5-coder-1.5b to download one',
  recorded: 'recorded:turns.json',
};

const isProviderName = (word: string): word is ProviderName => Object.hasOwn(EXAMPLES, word);

/** Names that only one hosted API has. `gpt-oss` are open weights that Ollama serves. */
const UNAMBIGUOUS: readonly (readonly [RegExp, ProviderName])[] = [
  [/^claude-[\w.-]+$/, 'anthropic'],
  [/^(gpt-\d|chatgpt-|o\d(-|$))[\w.-]*$/, 'openai'],
];

/**
 * Reads `provider/NAME`, `embedded:FILE.gguf`, `embedded:hf:OWNER/REPO/FILE.gguf`, `recorded:FILE`
 * and plain `NAME`: Ollama's unless only a hosted API has it, or `--base-url` names a server.
 * Names of local models may hold slashes and colons.
 */
export function parseModel(text: string, cwd: string, baseUrl: string | null = null): ModelChoice {
  const trimmed = text.trim();
  const [, word = '', mark = '', rest = ''] = /^([a-z]+)([/:])(.*)$/s.exec(trimmed) ?? [];
  if (isProviderName(word) && (mark === '/' || word === 'embedded' || word === 'recorded')) {
    return named(word, rest.trim(), cwd);
  }
  if (trimmed === '') throw noModel('--model names no model.', 'ollama');
  if (baseUrl !== null) return { provider: 'openai', model: trimmed };
  const known = UNAMBIGUOUS.find(([pattern]) => pattern.test(trimmed));
  return { provider: known?.[1] ?? 'ollama', model: trimmed };
}

function named(provider: ProviderName, name: string, cwd: string): ModelChoice {
  const isFile = provider === 'embedded' || provider === 'recorded';
  if (name === '') {
    throw noModel(`--model ${provider} names no ${isFile ? 'file' : 'model'}.`, provider);
  }
  if (!isFile) return { provider, model: name };
  if (provider === 'recorded' || !isHubName(name)) return { provider, model: resolve(cwd, name) };
  if (parseHubName(name) === null) throw noHubFile(name);
  return { provider, model: name };
}

export const noHubFile = (name: string): TardigradeError =>
  new TardigradeError(
    'E_USAGE',
    `"${name}" names no GGUF file on Hugging Face.`,
    `Write hf:OWNER/REPO/FILE.gguf, or one of ${Object.keys(SHORT_NAMES).join(', ')}`,
  );

const noModel = (message: string, provider: ProviderName): TardigradeError =>
  new TardigradeError('E_USAGE', message, `Write for example --model ${EXAMPLES[provider]}`);

/**
 * The model for a run: what was asked for, else the one an unfinished run of this goal used, else
 * the provider's default. A recording cannot be found again by its name. A server's address goes with
 * the model it was given for.
 */
export function chooseModel(
  asked: string | null,
  goal: string | null,
  current: RunState | null,
  cwd: string,
  baseUrl: string | null = null,
): ModelChoice {
  const choice = chosen(asked, goal, current, cwd, baseUrl);
  const hasUrl = ['anthropic', 'openai', 'openrouter'].includes(choice.provider);
  if (baseUrl === null || hasUrl) return choice;
  throw new TardigradeError(
    'E_USAGE',
    `--base-url says nothing to ${choice.provider}.`,
    choice.provider === 'ollama'
      ? 'Give the address of Ollama with --host, or name a model: --model openai/NAME'
      : 'Leave it out, or name a model: --model openai/NAME',
  );
}

function chosen(
  asked: string | null,
  goal: string | null,
  current: RunState | null,
  cwd: string,
  baseUrl: string | null,
): ModelChoice {
  if (asked !== null) return parseModel(asked, cwd, baseUrl);
  const settings = current?.settings;
  if (settings && current?.ended === null && (goal === null || isSameGoal(goal, current.goal))) {
    const { provider, model, baseUrl: given } = settings;
    const remembered = baseUrl === null && given !== undefined ? { baseUrl: trusted(given) } : {};
    if (isProviderName(provider) && provider !== 'recorded')
      return { provider, model, ...remembered };
  }
  return { provider: baseUrl === null ? 'ollama' : 'openai', model: null };
}

/** The address comes from a file of the folder, and whoever is asked there is sent the user's key. */
function trusted(baseUrl: string): string {
  const hostname = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  if (/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return baseUrl;
  throw new TardigradeError(
    'E_USAGE',
    `This run asked ${baseUrl}, and only you can say that your key may go there again.`,
    `Run agent resume --base-url ${baseUrl}`,
  );
}
