import { isSameGoal } from '../../journal/runs/goal-id.ts';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import type { RunState } from '../../schema/state.ts';
import { isFinished } from '../../schema/state-parts/untried.ts';
import type { ModelChoice } from '../engine-port.ts';
import type { ProviderRow } from '../providers/provider-row.ts';
import {
  COMPATIBLE_PROVIDER,
  isProviderName,
  PROVIDER_NAMES,
  type ProviderName,
  rowOf,
  USUAL_PROVIDER,
} from '../providers/providers.ts';

const takesFiles = (row: ProviderRow): boolean => row.kind !== 'hosted' && row.file !== undefined;

/**
 * Reads `provider/NAME` or, as other tools write it, `provider:NAME`, `embedded:FILE.gguf`,
 * `embedded:hf:OWNER/REPO/FILE.gguf`, `recorded:FILE`, the name of a provider alone, and a plain `NAME`. A plain name
 * is Ollama's, unless only a hosted API has it or the address of a server comes with it. Names of local models may
 * contain slashes and colons.
 * @param further names of providers that are not in the table: `NAME/MODEL` belongs to one of them
 */
export function parseModel(
  text: string,
  cwd: string,
  baseUrl: string | null = null,
  further: readonly string[] = [],
): ModelChoice {
  const trimmed = text.trim();
  const slash = trimmed.indexOf('/');
  const own = slash < 0 ? undefined : further.find((name) => name === trimmed.slice(0, slash));
  if (own !== undefined) return named(own, trimmed.slice(slash + 1).trim(), cwd);
  const [, word = '', rest = ''] = /^([a-z]+)[/:](.*)$/s.exec(trimmed) ?? [];
  if (isProviderName(word)) return named(word, rest.trim(), cwd);
  if (isProviderName(trimmed)) {
    const alone = byNameAlone(trimmed, baseUrl);
    if (alone !== null) return alone;
  }
  if (trimmed === '') throw noModel('The name of the model is empty.', USUAL_PROVIDER);
  if (baseUrl !== null) return { provider: COMPATIBLE_PROVIDER, model: trimmed };
  const owner = PROVIDER_NAMES.find((name) => rowOf(name).plainNames?.test(trimmed));
  return { provider: owner ?? USUAL_PROVIDER, model: trimmed };
}

/** In the form that `--model` takes. */
export const modelWords = (settings: {
  readonly provider: string;
  readonly model: string;
}): string =>
  /^[\\/]|^[A-Za-z]:|\.gguf$/i.test(settings.model)
    ? `${settings.provider}:${settings.model}`
    : `${settings.provider}/${settings.model}`;

/** `anthropic`, `openai`: the API's default model. The user's own servers have none. */
function byNameAlone(provider: ProviderName, baseUrl: string | null): ModelChoice | null {
  const row = rowOf(provider);
  if (provider === USUAL_PROVIDER) return { provider, model: null };
  if (row.kind !== 'hosted' || row.defaultModel === undefined) return null;
  const isOwnServer = baseUrl !== null && provider === COMPATIBLE_PROVIDER;
  return { provider, model: isOwnServer ? null : row.defaultModel };
}

function named(provider: string, name: string, cwd: string): ModelChoice {
  const row = rowOf(provider);
  if (name === '') {
    const what = takesFiles(row) ? 'file' : 'model';
    throw noModel(`"${provider}" does not name a ${what}.`, provider);
  }
  const model = row.kind === 'hosted' ? name : (row.resolveName?.(name, cwd) ?? name);
  return { provider, model };
}

const noModel = (message: string, provider: string): TardigradeError =>
  misuse(message, `Write for example ${rowOf(provider).example}.`, {
    option: 'model',
  });

/**
 * The model for a run: the one asked for, else the one that an unfinished run of this goal used, else the provider's
 * default. A server's address applies only to the model that it was given for.
 * @param current the state, as far as it is trusted
 * @param usual the model of the user's settings, if nothing else names one
 * @param further providers that are not in the table
 */
export function modelForRun(
  asked: string | null,
  goal: string | null,
  current: RunState | null,
  cwd: string,
  baseUrl: string | null = null,
  usual: string | null = null,
  further: readonly string[] = [],
): ModelChoice {
  const choice = chosen(asked, goal, current, { cwd, baseUrl, usual, further });
  const row = rowOf(choice.provider);
  if (baseUrl === null || row.kind === 'hosted') return choice;
  const other = `name a model as ${COMPATIBLE_PROVIDER}/NAME`;
  const isServer = row.kind === 'local' && row.hostVariable !== undefined;
  throw misuse(
    `A base URL does not apply to ${choice.provider}.`,
    isServer
      ? `Leave it out and ${other}, or give the address of ${row.label}.`
      : `Leave it out, or ${other}.`,
    { option: isServer ? 'host' : 'model' },
  );
}

interface Elsewhere {
  readonly cwd: string;
  readonly baseUrl: string | null;
  readonly usual: string | null;
  readonly further: readonly string[];
}

function chosen(
  asked: string | null,
  goal: string | null,
  current: RunState | null,
  { cwd, baseUrl, usual, further }: Elsewhere,
): ModelChoice {
  if (asked !== null) return parseModel(asked, cwd, baseUrl, further);
  const settings = current?.settings;
  if (
    settings &&
    current &&
    !isFinished(current) &&
    (goal === null || isSameGoal(goal, current.goal))
  ) {
    const { provider, model, baseUrl: given } = settings;
    const remembered = baseUrl === null && given !== undefined ? { baseUrl: given } : {};
    const isKnown = isProviderName(provider) || further.includes(provider);
    if (isKnown && mayBeAskedAgain(rowOf(provider), current))
      return { provider, model, ...remembered };
  }
  const choice = usual === null ? null : parseModel(usual, cwd, null, further);
  // The address of a server was typed, but the model in the settings runs on another kind of provider.
  if (choice !== null && (baseUrl === null || rowOf(choice.provider).kind === 'hosted'))
    return choice;
  return { provider: baseUrl === null ? USUAL_PROVIDER : COMPATIBLE_PROVIDER, model: null };
}

/** Whether a resume without a model asks the same one, at the same server. */
export const isRemembered = (state: RunState): boolean =>
  state.settings !== null && mayBeAskedAgain(rowOf(state.settings.provider), state);

/** A recording cannot be found by its name, and a file that an adopted run names is not opened as a model. */
function mayBeAskedAgain(row: ProviderRow, { adopted, settingsOffset }: RunState): boolean {
  const isAdopted = adopted !== undefined && settingsOffset < adopted.offset;
  return row.kind !== 'playback' && !(isAdopted && takesFiles(row));
}
