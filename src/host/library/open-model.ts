/** Opens the model that a caller names. */

import { defined } from '../../lib/defined.ts';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { interrupted } from '../../lib/interruptible.ts';
import { raced } from '../../lib/raced.ts';
import { type Candidate, DEFAULT_PROFILE } from '../../llm/failover/candidate.ts';
import { roleName } from '../../llm/failover/roles.ts';
import type { LanguageModelLike } from '../../llm/language-model/contract.ts';
import { fromLanguageModel } from '../../llm/language-model/language-model.ts';
import { type Provider, ProviderError } from '../../llm/provider.ts';
import type { RunOptionValues } from '../../options/option-values.ts';
import type { Machine } from '../../run/machine.ts';
import type { KnownNames } from '../../run/start/common-options.ts';
import type { RunState } from '../../schema/state.ts';
import type { KeyProfile } from '../config/accounts.ts';
import type { ModelChoice } from '../engine-port.ts';
import {
  closedOnFailure,
  fallbackCandidates,
  lazyProvider,
  openCandidates,
} from '../models/candidates.ts';
import { modelForRun, parseModel } from '../models/model-spec.ts';
import { furtherNames, isProviderName } from '../providers/providers.ts';
import { callersProvider, failing } from './callers-provider.ts';
import { hostPlace } from './host-place.ts';
import type { ProviderAccounts } from './place.ts';
import { type MakeProvider, registeredFor } from './registered-providers.ts';

export interface ModelOptions {
  /** A provider object; left out: the one that the model's name says. */
  readonly provider?: Provider;
  /**
   * `openai/gpt-5-mini`, `ollama/…`, `NAME/…` of a registered provider; with a `provider`, its own name for the model;
   * or a model of the Vercel AI SDK.
   */
  readonly model?: string | LanguageModelLike;
  /** Keys and addresses of providers that are opened by name. */
  readonly providers?: ProviderAccounts;
  /** Further keys of these providers, in the order of use. */
  readonly profiles?: readonly KeyProfile[];
  /**
   * Models to ask if the first one fails, in order: names as `model` takes them, each with its further keys, or
   * candidates.
   */
  readonly fallbacks?: readonly (string | Candidate)[];
}

export const MODEL_OPTIONS: KnownNames<ModelOptions> = {
  provider: true,
  model: true,
  providers: true,
  profiles: true,
  fallbacks: true,
};

/** Splits the options of a call into those that choose the model, and all others. */
export function splitModelOptions<Options extends ModelOptions>(
  options: Options,
): { readonly modelOptions: ModelOptions; readonly rest: Omit<Options, keyof ModelOptions> } {
  const { provider, model, providers, profiles, fallbacks, ...rest } = options;
  return { modelOptions: defined({ provider, model, providers, profiles, fallbacks }), rest };
}

export interface OpenedForCall {
  readonly provider: Provider;
  readonly model: string;
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly fallbacks?: readonly Candidate[];
  /** Why another model was taken than the one asked for; left out if it was not. */
  readonly notice?: string;
  /** Closes providers that were opened here; a provider of the caller stays open. */
  close(): Promise<void>;
}

interface CallPlace {
  readonly workspace: string;
  readonly machine: Machine;
  readonly signal: AbortSignal;
}

/** A run also has models for planning and for work. */
type CallModels = ModelOptions & Pick<RunOptionValues, 'models'>;

/** @param before the run that continues; `null`: none does */
export async function openForCall(
  call: CallModels,
  before: RunState | null,
  { workspace, machine, signal }: CallPlace,
): Promise<OpenedForCall> {
  const request = heldToContract(call);
  const { providers = {}, profiles = [] } = request;
  const fallbacks = [...(request.fallbacks ?? []), ...rolesIn(request, before)];
  const place = hostPlace({ workspace }, machine, providers, profiles);
  const further = furtherNames(providers);
  const others = fallbacks.map((one) => fallbackOf(one, { providers, further, workspace }));
  const asked = { host: null, report: null, signal, fallbacks: others };
  const own = await openedHere(request, before, signal);
  if (own !== null) {
    const choice = { provider: own.provider.name, model: own.model };
    const inPlace = fallbackCandidates(others, { ...asked, choice, baseUrl: null }, place);
    const more = await closedOnFailure(own, inPlace);
    const opened = more.filter((one) => !others.includes(one));
    const close = async (): Promise<void> => {
      await Promise.all([own.close(), ...opened.map(({ provider }) => provider.close())]);
    };
    return { ...own, ...(more.length > 0 ? { fallbacks: more } : {}), close };
  }
  const choice = modelForRun(requestedModel(request), null, before, workspace, null, null, further);
  const { baseUrl = null } = choice;
  const opened = await openCandidates({ ...asked, choice, baseUrl }, place);
  return { ...opened, close: () => opened.provider.close() };
}

/**
 * The same for a run that has ended. Its end needs no model, so one is opened only if it is asked after all.
 */
export function openedLate(call: CallModels, before: RunState, place: CallPlace): OpenedForCall {
  const { provider: name, model } = before.settings ?? { provider: 'none', model: 'none' };
  const opened: OpenedForCall[] = [];
  const open = async (): Promise<Provider> => {
    const one = await openForCall(call, before, place);
    opened.push(one);
    return one.provider;
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((one) => one.close()));
  };
  return { provider: lazyProvider(name, open), model, close };
}

/** The same call, with the caller's own providers held to their contract. */
function heldToContract({ provider, fallbacks, ...call }: CallModels): CallModels {
  const held = fallbacks?.map((one) =>
    typeof one === 'string' ? one : { ...one, provider: callersProvider(one.provider) },
  );
  const own = provider === undefined ? undefined : callersProvider(provider);
  return { ...call, ...defined({ provider: own, fallbacks: held }) };
}

/** The models that plan and work, except those among the call's candidates. */
function rolesIn(
  { provider, models, fallbacks = [] }: CallModels,
  before: RunState | null,
): readonly (string | Candidate)[] {
  const { plan, work } = before?.models ?? models ?? {};
  if (plan === undefined) return [];
  const own = `${provider?.name ?? ''}/`;
  const named = fallbacks.flatMap((one) => (typeof one === 'string' ? [] : [roleName(one)]));
  const open = [plan, ...(work === undefined ? [] : [work])].filter(
    (name) => !named.includes(name),
  );
  return open.map((name) =>
    provider !== undefined && name.startsWith(own)
      ? { provider, model: name.slice(own.length), profile: DEFAULT_PROFILE }
      : name,
  );
}

const requestedModel = ({ model }: ModelOptions): string | null =>
  typeof model === 'string' ? model : null;

/** A provider from the caller, or a registered one; `null`: the table decides. */
async function openedHere(
  { provider, model: wanted, providers = {} }: ModelOptions,
  before: RunState | null,
  signal: AbortSignal,
): Promise<OpenedForCall | null> {
  if (typeof wanted === 'object')
    return { provider: fromLanguageModel(wanted), model: wanted.modelId, close: async () => {} };
  if (provider !== undefined) {
    if (wanted === undefined) throw noModel();
    return { provider, model: wanted, close: async () => {} };
  }
  const named = wanted ?? nameIn(before, furtherNames(providers));
  if (named === null) throw noModel();
  const registered = registeredFor(named);
  if (registered === null) return null;
  const { name, model, make } = registered;
  const made = await raced(madeBy(name, make, { ...providers[name], model }), signal, cancelled);
  return { provider: made, model, close: () => made.close() };
}

/** A registered provider is created when it is asked. */
function fallbackOf(
  one: string | Candidate,
  {
    providers,
    further,
    workspace,
  }: {
    readonly providers: ProviderAccounts;
    readonly further: readonly string[];
    readonly workspace: string;
  },
): ModelChoice | Candidate {
  if (typeof one !== 'string') return one;
  const registered = registeredFor(one);
  if (registered === null) return parseModel(one, workspace, null, further);
  const { name, model, make } = registered;
  const open = (): Promise<Provider> => madeBy(name, make, { ...providers[name], model });
  return { provider: lazyProvider(name, open), model, profile: DEFAULT_PROFILE };
}

/** Whatever the function does, a model that cannot be opened is the provider's failure. */
const madeBy = (
  name: string,
  make: MakeProvider,
  settings: Parameters<MakeProvider>[0],
): Promise<Provider> => failing(name, async () => callersProvider(await make(settings)));

/** A run that began with its caller's own provider cannot be reopened by name. */
function nameIn(before: RunState | null, further: readonly string[]): string | null {
  if (before === null || before.settings === null) return null;
  const { provider, model } = before.settings;
  const name = `${provider}/${model}`;
  const isKnown = isProviderName(provider) || further.includes(provider);
  return isKnown || registeredFor(name) !== null ? name : null;
}

function cancelled(): never {
  throw interrupted();
}

/** The error of a call. If the call was stopped while a model was looked for, no model has failed. */
export const stoppedOr = (error: unknown): unknown =>
  error instanceof ProviderError && error.status.kind === 'aborted' ? interrupted() : error;

const noModel = (): TardigradeError =>
  misuse(
    'No model is named.',
    'Name one, such as ollama/qwen2.5-coder:1.5b or openai/gpt-5-mini.',
    { option: 'model' },
  );
