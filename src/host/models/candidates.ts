/** All models that a run may ask: its own, further keys for it, then the fallbacks with theirs. */

import { adviceIn, TardigradeError } from '../../lib/errors.ts';
import {
  type Candidate,
  candidateText,
  DEFAULT_PROFILE,
  nameOf,
} from '../../llm/failover/candidate.ts';
import { type Provider, ProviderError } from '../../llm/provider.ts';
import type { ModelChoice, OpenModelRequest } from '../engine-port.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { furtherKeys, hostedAccount, isKeyFromCommand } from '../providers/hosted-account.ts';
import { hostedProvider, rememberedUrl } from '../providers/open-hosted.ts';
import type { OpenedModel } from '../providers/provider-row.ts';
import { rowOf } from '../providers/providers.ts';
import { openModel } from './open-model.ts';

/** Opens the wanted model. One that fails stays the first candidate, and the run moves on to the next. */
export async function openCandidates(
  request: OpenModelRequest,
  place: HostEnvironment,
): Promise<OpenedModel> {
  const { choice, fallbacks } = request;
  if (fallbacks === undefined) return await openModel(request, place);
  const further = async (model: string | null): Promise<readonly Candidate[]> => {
    const own = model === null ? [] : (await ways({ ...choice, model }, request, place)).slice(1);
    return [...own, ...(await fallbackCandidates(fallbacks, request, place))];
  };
  const borrowed: ReadonlySet<unknown> = new Set(fallbacks.filter(isCandidate));
  try {
    const opened = await openModel(request, place);
    const profile = profileOf(choice, request, place);
    const { provider, model, baseUrl } = opened;
    const first: Candidate = {
      provider,
      model,
      profile,
      ...(baseUrl === undefined ? {} : { baseUrl }),
    };
    const others = await closedOnFailure(provider, further(opened.model));
    return together(opened, [first, ...others], borrowed);
  } catch (error) {
    if (!(error instanceof ProviderError) || request.signal.aborted) throw error;
    const [next, ...rest] = await further(choice.model);
    if (next === undefined) throw error;
    if (choice.model !== null) {
      const first = notOpened(error, request, choice.model, place);
      const opened = { ...first, where: choice.provider, notice: '' };
      return together(opened, [first, next, ...rest], borrowed);
    }
    const notice = `${error.message} Continuing with ${candidateText(nameOf(next))}.`;
    return together({ ...next, where: next.provider.name, notice }, [next, ...rest], borrowed);
  }
}

/** The wanted model, which could not be opened: it fails the same way, and is opened if it is asked again. */
function notOpened(
  error: ProviderError,
  request: OpenModelRequest,
  model: string,
  place: HostEnvironment,
): Candidate {
  const { choice } = request;
  let known: ProviderError | null = error;
  const open = async (): Promise<Provider> => {
    const before = known;
    known = null;
    if (before !== null) throw before;
    return (await openModel(request, place)).provider;
  };
  const provider = lazyProvider(choice.provider, open);
  return { provider, model, profile: profileOf(choice, request, place) };
}

/** Closes an open provider if the models beside it cannot be opened. */
export async function closedOnFailure<Value>(
  provider: Pick<Provider, 'close'>,
  others: Promise<Value>,
): Promise<Value> {
  try {
    return await others;
  } catch (error) {
    await provider.close();
    throw error;
  }
}

const isCandidate = (one: ModelChoice | Candidate): one is Candidate =>
  typeof one.provider === 'object';

/** Each with its further keys; a provider object stays as it was passed in. */
export async function fallbackCandidates(
  fallbacks: readonly (ModelChoice | Candidate)[],
  request: OpenModelRequest,
  place: HostEnvironment,
): Promise<readonly Candidate[]> {
  const all = await Promise.all(
    fallbacks.map((one) => (isCandidate(one) ? [one] : ways(one, request, place))),
  );
  return all.flat();
}

/**
 * Lists the same way to the same model only once; closing one closes all.
 * @param borrowed opened by the caller, who closes them
 */
function together(
  opened: OpenedModel,
  candidates: readonly Candidate[],
  borrowed: ReadonlySet<unknown>,
): OpenedModel {
  const seen = new Set<string>();
  const different = candidates.filter((candidate) => {
    const name = JSON.stringify(nameOf(candidate));
    return seen.has(name) ? false : seen.add(name);
  });
  const [first, ...fallbacks] = different;
  if (first === undefined || fallbacks.length === 0) return opened;
  const close = async (): Promise<void> => {
    const own = candidates.filter((candidate) => !borrowed.has(candidate));
    await Promise.all(own.map(({ provider }) => provider.close()));
  };
  return { ...opened, provider: { ...first.provider, close }, profile: first.profile, fallbacks };
}

/** A hosted model once per key; no key is fetched before it is needed. */
async function ways(
  choice: ModelChoice,
  request: OpenModelRequest,
  place: HostEnvironment,
): Promise<readonly Candidate[]> {
  const { provider: name, model } = choice;
  if (model === null) return [];
  const row = rowOf(name);
  if (row.kind !== 'hosted') {
    const open = async () => (await openModel({ ...request, choice }, place)).provider;
    return [{ provider: lazyProvider(name, open), model, profile: DEFAULT_PROFILE }];
  }
  const url = urlFor(choice, request);
  const first = hostedAccount(row, url, place);
  const given = url === null ? {} : { baseUrl: await rememberedUrl(row, first) };
  const isPrinted = isKeyFromCommand(row, place);
  // A candidate that is never asked needs no key.
  const open = async () =>
    (await openModel({ ...request, choice, host: null, baseUrl: url }, place)).provider;
  return await Promise.all(
    [first, ...furtherKeys(row, first, place)].map(async (account) => ({
      provider:
        isPrinted && account === first
          ? lazyProvider(name, open)
          : await hostedProvider(row, account),
      model,
      profile: account.profile,
      ...given,
    })),
  );
}

/** The given address applies to the wanted model's provider only. */
const urlFor = (choice: ModelChoice, request: OpenModelRequest): string | null =>
  choice.provider === request.choice.provider ? request.baseUrl : null;

function profileOf(
  choice: ModelChoice,
  { baseUrl }: OpenModelRequest,
  place: HostEnvironment,
): string {
  const row = rowOf(choice.provider);
  return row.kind === 'hosted' ? hostedAccount(row, baseUrl, place).profile : DEFAULT_PROFILE;
}

/** A provider that the first request opens; if that fails, the next request tries again. */
export function lazyProvider(name: string, open: () => Promise<Provider>): Provider {
  let opened: Promise<Provider> | null = null;
  let known: Provider | null = null;
  const provider = async (): Promise<Provider> => {
    try {
      opened ??= open();
      known = await opened;
      return known;
    } catch (error) {
      opened = null;
      throw asProviderError(error);
    }
  };
  return {
    name,
    async *stream(request, signal, limits) {
      yield* (await provider()).stream(request, signal, limits);
    },
    describe: async (model, signal) => await (await provider()).describe(model, signal),
    list: async (signal) => await (await provider()).list(signal),
    loadedWindow: async (model, signal) =>
      (await (await provider()).loadedWindow?.(model, signal)) ?? null,
    // The keys are unknown until the provider is opened.
    keys: () => known?.keys?.() ?? [],
    ignores: (model) => known?.ignores?.(model) ?? [],
    isFree: (model) => known?.isFree?.(model) === true,
    close: async () => {
      const held = opened;
      opened = null;
      await held?.then(
        (one) => one.close(),
        () => undefined,
      );
    },
  };
}

/** Something that cannot be opened, such as an engine that is not installed, is an unusable model. */
function asProviderError(error: unknown): unknown {
  if (!(error instanceof TardigradeError)) return error;
  const status = { kind: 'model_error', retryable: false } as const;
  return new ProviderError(status, error.message, error.hint, {
    cause: error,
    ...adviceIn(error),
  });
}
