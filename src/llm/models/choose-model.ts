// Which model a run uses, with how large a window, and the sentence that says why.
import { adviceIn, type RecoveryHint } from '../../lib/errors.ts';
import { type ModelInfo, modelFault, type Provider, ProviderError } from '../provider.ts';

export const DEFAULT_MODEL = 'gpt-oss:20b';

/**
 * The most tokens that a run requests by default. The memory for the window grows with it: at 16,384 a 20B model still
 * fits a laptop, and compaction keeps a run far below.
 */
export const LARGEST_DEFAULT_WINDOW = 16_384;

/** For a large local model, which works with tools and so needs room for their output. */
export const LARGEST_FREE_WINDOW = 32_768;

/** A run seldom needs as much, and compaction begins at 70 % of it. */
export const LARGEST_HOSTED_WINDOW = 131_072;

/** The window of a model whose trained length is unknown. */
const UNKNOWN_WINDOW = 8192;

export interface ModelRequirements {
  readonly provider: Pick<Provider, 'describe' | 'list'>;
  /** What the user asked for; `undefined`: the default, or an installed model. */
  readonly requested: string | undefined;
  readonly signal: AbortSignal;
  readonly firstModel?: RecoveryHint;
  /** The provider's models run elsewhere: none is installed here. */
  readonly isHosted?: boolean;
}

/** Throws `ProviderError` if the server is unreachable or has no usable model. */
export async function chooseModel(request: ModelRequirements): Promise<ModelInfo> {
  const { provider, requested, signal } = request;
  if (requested !== undefined) return await describeRequested(request, requested);
  const installed = await provider.list(signal);
  if (installed.includes(DEFAULT_MODEL)) return await provider.describe(DEFAULT_MODEL, signal);
  const best = await bestOf(installed, request);
  if (best === null) {
    throw modelFault(
      'No model is installed.',
      request.firstModel?.hint ?? 'Install one.',
      request.firstModel === undefined ? {} : adviceIn(request.firstModel),
    );
  }
  return best;
}

/** The first that can call tools, in the provider's order, else the first that answers at all. */
async function bestOf(
  models: readonly string[],
  request: ModelRequirements,
): Promise<ModelInfo | null> {
  let fallback: ModelInfo | null = null;
  for (const model of models) {
    const info = await describeOrSkip(model, request);
    if (info?.capabilities.tools) return info;
    fallback ??= info;
  }
  return fallback;
}

/** A broken model, or one that has since been removed, does not prevent the use of others. */
async function describeOrSkip(
  model: string,
  request: ModelRequirements,
): Promise<ModelInfo | null> {
  try {
    return await request.provider.describe(model, request.signal);
  } catch (error) {
    if (error instanceof ProviderError && error.status.kind === 'model_error') return null;
    throw error;
  }
}

/** If the wanted model is missing, the message names those that exist. */
async function describeRequested(request: ModelRequirements, model: string): Promise<ModelInfo> {
  try {
    return await request.provider.describe(model, request.signal);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.status.kind !== 'model_error') throw error;
    const installed = await request.provider
      .list(request.signal)
      .catch((): readonly string[] => []);
    if (installed.length === 0 || installed.includes(model)) throw error;
    const shown = installed.slice(0, 8).join(', ') + (installed.length > 8 ? ', …' : '');
    const what = request.isHosted ? 'Available' : 'Installed';
    throw new ProviderError(error.status, error.message, `${what}: ${shown}. ${error.hint}`, {
      cause: error,
      ...adviceIn(error),
    });
  }
}

/** A model on a server that has already fixed its window: a small one saves no memory here. */
export interface MaybeHosted extends ModelInfo {
  readonly isHosted?: boolean;
}

export interface ChosenWindow {
  /** Tokens, the same in every request of a run: Ollama loads the model again when it changes. */
  readonly tokens: number;
  readonly why: string;
}

/**
 * `requested` is what the user asked for, limited to the length that the model was trained for.
 * @param largest in tokens, of a model that runs here
 */
export function chooseContextWindow(
  info: MaybeHosted,
  requested?: number,
  largest = LARGEST_DEFAULT_WINDOW,
): ChosenWindow {
  const trained = info.contextWindow;
  if (requested !== undefined) {
    return trained !== null && requested > trained
      ? { tokens: trained, why: `${requested} was asked for, the model was trained for ${trained}` }
      : { tokens: requested, why: 'asked for' };
  }
  if (trained === null)
    return { tokens: UNKNOWN_WINDOW, why: "the model's trained length is not known" };
  const most = info.isHosted ? LARGEST_HOSTED_WINDOW : largest;
  if (trained <= most) return { tokens: trained, why: 'what the model was trained for' };
  const reason = info.isHosted ? 'every token of a prompt is paid for' : 'more takes more memory';
  return { tokens: most, why: `the model could hold ${trained}, but ${reason}` };
}
