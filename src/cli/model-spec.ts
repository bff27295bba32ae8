import { resolve } from 'node:path';
import { TardigradeError } from '../schema/errors.ts';
import type { RunState } from '../schema/state.ts';
import type { ModelChoice } from './engine-port.ts';

/** Reads `embedded:FILE.gguf`, `recorded:FILE`, `ollama/NAME` and plain `NAME`. */
export function parseModel(text: string, cwd: string): ModelChoice {
  const trimmed = text.trim();
  for (const provider of ['embedded', 'recorded'] as const) {
    if (!trimmed.startsWith(`${provider}:`)) continue;
    const file = trimmed.slice(provider.length + 1);
    if (file === '') throw noModel(`--model ${provider}: names no file.`, provider);
    return { provider, model: resolve(cwd, file) };
  }
  const model = trimmed.startsWith('ollama/') ? trimmed.slice('ollama/'.length) : trimmed;
  if (model === '') throw noModel('--model names no model.', 'ollama');
  return { provider: 'ollama', model };
}

function noModel(message: string, provider: ModelChoice['provider']): TardigradeError {
  const example = {
    ollama: '--model qwen2.5-coder:1.5b',
    embedded: '--model embedded:model.gguf',
    recorded: '--model recorded:turns.json',
  }[provider];
  return new TardigradeError('E_USAGE', message, `Write for example ${example}`);
}

/**
 * The model for a run: what was asked for, else the one an unfinished run of this goal used,
 * else the provider's default. A recording cannot be found again by its name.
 */
export function chooseModel(
  asked: string | null,
  goal: string | null,
  current: RunState | null,
  cwd: string,
): ModelChoice {
  if (asked !== null) return parseModel(asked, cwd);
  const settings = current?.settings;
  if (settings && current?.ended === null && (goal === null || isSameGoal(goal, current.goal))) {
    const { provider, model } = settings;
    if (provider === 'ollama' || provider === 'embedded') return { provider, model };
  }
  return { provider: 'ollama', model: null };
}

const isSameGoal = (one: string, other: string): boolean =>
  one.trim().normalize('NFC') === other.trim().normalize('NFC');
