/** From what a caller names as a model to somebody who can be asked. */
import { TardigradeError } from '../../lib/errors.ts';
import { raced } from '../../lib/raced.ts';
import type { Candidate } from '../../llm/failover/candidate.ts';
import type { LanguageModelLike } from '../../llm/language-model/contract.ts';
import { fromLanguageModel } from '../../llm/language-model/language-model.ts';
import type { Provider } from '../../llm/provider.ts';
import type { Machine } from '../../run/machine.ts';
import type { RunState } from '../../schema/state.ts';
import { openCandidates } from '../candidates.ts';
import { chooseModel } from '../model-spec.ts';
import { isProviderName } from '../providers.ts';
import { hostPlace, type ProviderAccounts } from './place.ts';
import { registeredFor } from './registered-providers.ts';

export interface ModelWish {
  /** Somebody who can be asked; left out: the one that the name of the model says. */
  readonly provider?: Provider;
  /** `openai/gpt-5-mini`, `ollama/…`, `NAME/…` of a registered provider; with a `provider` as that calls it; or a model of the Vercel AI SDK. */
  readonly model?: string | LanguageModelLike;
  /** Keys and addresses of providers that are opened by name. */
  readonly providers?: ProviderAccounts;
}

export interface OpenedForCall {
  readonly provider: Provider;
  readonly model: string;
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly fallbacks?: readonly Candidate[];
  /** Why another model than the wanted one was taken; left out where it was not. */
  readonly notice?: string;
  /** Frees what was opened here; a provider of the caller stays open. */
  close(): Promise<void>;
}

/** @param before the run that goes on; `null`: none does */
export async function openForCall(
  wish: ModelWish,
  before: RunState | null,
  {
    workspace,
    machine,
    signal,
  }: {
    readonly workspace: string;
    readonly machine: Machine;
    readonly signal: AbortSignal;
  },
): Promise<OpenedForCall> {
  const { provider, model: wanted, providers = {} } = wish;
  if (typeof wanted === 'object')
    return { provider: fromLanguageModel(wanted), model: wanted.modelId, close: async () => {} };
  if (provider !== undefined) {
    if (wanted === undefined) throw noModel();
    return { provider, model: wanted, close: async () => {} };
  }
  const named = wanted ?? nameIn(before);
  if (named === null) throw noModel();
  const own = registeredFor(named);
  if (own !== null) {
    const { name, model, make } = own;
    const made = await raced(
      (async () => make({ ...providers[name], model }))(),
      signal,
      cancelled,
    );
    return { provider: made, model, close: () => made.close() };
  }
  const place = hostPlace({ workspace }, machine, providers);
  const choice = chooseModel(wanted ?? null, null, before, workspace);
  const { baseUrl = null } = choice;
  const request = { choice, host: null, baseUrl, report: null, signal };
  const opened = await openCandidates(request, place);
  return { ...opened, close: () => opened.provider.close() };
}

/** Of a run that began with a provider which only its caller knew nothing can be opened. */
function nameIn(before: RunState | null): string | null {
  if (before === null || before.settings === null) return null;
  const { provider, model } = before.settings;
  const name = `${provider}/${model}`;
  return isProviderName(provider) || registeredFor(name) !== null ? name : null;
}

function cancelled(): never {
  throw new TardigradeError('E_INTERRUPTED', 'It was stopped.', '');
}

const noModel = (): TardigradeError =>
  new TardigradeError(
    'E_USAGE',
    'No model is named.',
    'Name one, such as ollama/qwen2.5-coder:1.5b or openai/gpt-5-mini.',
    { option: 'model' },
  );
