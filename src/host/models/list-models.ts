import { adviceIn, TardigradeError } from '../../lib/errors.ts';
import { raced } from '../../lib/raced.ts';
import { ProviderError } from '../../llm/provider.ts';
import type { ListModelsRequest, ProviderListing } from '../engine-port.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { listHosted } from '../providers/list-hosted.ts';
import type { Listing, ProviderRow } from '../providers/provider-row.ts';
import {
  COMPATIBLE_PROVIDER,
  furtherNames,
  PROVIDER_NAMES,
  rowOf,
} from '../providers/providers.ts';

/** Milliseconds for all questions to one provider; providers are asked in parallel. */
const PATIENCE_MS = 5000;

/** Lists what is reachable from here. An unreachable provider becomes one line that says what is missing. */
export async function listModels(
  request: ListModelsRequest,
  place: HostEnvironment,
  patienceMs = PATIENCE_MS,
): Promise<readonly ProviderListing[]> {
  const { provider } = request;
  const all = [...PROVIDER_NAMES, ...furtherNames(place.accounts?.providers)];
  const asked = all.filter((name) => provider === undefined || name === provider);
  const listings = asked.map(async (name) => {
    const listing = lookAt(name, request, place);
    return listing === null ? [] : [await guarded(name, request.signal, patienceMs, listing)];
  });
  return (await Promise.all(listings)).flat();
}

type Look = (signal: AbortSignal) => Promise<Listing>;

/** `null` for a provider that has no models of its own. */
function lookAt(name: string, request: ListModelsRequest, place: HostEnvironment): Look | null {
  const row = rowOf(name);
  switch (row.kind) {
    case 'local':
      return async (signal) => withFirstModel(await row.list({ ...request, signal }, place), row);
    case 'hosted':
      return async (signal) => {
        // One address cannot be meant for all providers; it is usually an OpenAI-compatible server.
        const baseUrl = name === COMPATIBLE_PROVIDER ? request.baseUrl : null;
        return await listHosted(row, baseUrl, place, signal);
      };
    case 'playback':
      return null;
    default:
      return row satisfies never;
  }
}

const withFirstModel = (
  listing: Listing,
  { firstModel }: Extract<ProviderRow, { kind: 'local' }>,
): Listing =>
  firstModel === undefined || listing.models.length > 0
    ? listing
    : {
        ...listing,
        problem: 'no model is installed',
        next: firstModel.hint,
        ...adviceIn(firstModel),
      };

async function guarded(
  provider: string,
  stop: AbortSignal,
  patienceMs: number,
  list: Look,
): Promise<ProviderListing> {
  const patience = AbortSignal.timeout(patienceMs);
  const signal = AbortSignal.any([stop, patience]);
  try {
    // Loading a client takes time, too, and cannot be cancelled.
    const listing = await raced(list(signal), signal, () => {
      throw signal.reason;
    });
    return { provider, ...listing };
  } catch (error) {
    stop.throwIfAborted();
    const nothing = { provider, where: '', models: [] };
    if (patience.aborted) {
      const problem = `no answer within ${patienceMs / 1000} s`;
      return {
        ...nothing,
        problem,
        next: 'Check that it is not busy and that its address is right.',
      };
    }
    if (!(error instanceof ProviderError) && !(error instanceof TardigradeError)) throw error;
    return { ...nothing, problem: error.message, next: error.hint, ...adviceIn(error) };
  }
}
