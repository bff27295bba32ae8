/** What a person can choose from at the first start: models that are available, and models that can be obtained. */
import { DEFAULT_EMBEDDED_MODEL } from '../../llm/embedded/hub-file.ts';
import { ProviderError } from '../../llm/provider.ts';
import { textScrubber } from '../../llm/secrets/scrubbed-provider.ts';
import { NO_ACCOUNTS } from '../config/accounts.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { hostedAccount, keyOf } from '../providers/hosted-account.ts';
import { hostedProvider } from '../providers/open-hosted.ts';
import type { HostedRow, LocalRow } from '../providers/provider-row.ts';
import {
  EMBEDDED_PROVIDER,
  PROVIDER_NAMES,
  type ProviderName,
  rowOf,
  type SetupPart,
} from '../providers/providers.ts';
import { FIRST_EMBEDDED_SIZE, FIRST_MODEL, FIRST_SIZE } from './first-model.ts';

export interface ReadyModel {
  readonly label: string;
  /** As typed. */
  readonly model: string;
  /** What makes it ready: where it runs, or which variable holds its key. */
  readonly by: string;
  /** Whether its prompts leave this machine. */
  readonly isHosted: boolean;
}

export interface Obtainable {
  readonly part: SetupPart;
  /** As `setup` takes it. */
  readonly model: string;
  /** As a start takes it. */
  readonly spec: string;
  readonly size: string;
}

/** A model that needs a key that nobody has given yet. */
export interface Keyless {
  readonly name: ProviderName;
  readonly label: string;
  /** As typed. */
  readonly model: string;
}

export interface FirstChoices {
  readonly ready: readonly ReadyModel[];
  readonly obtainable: readonly Obtainable[];
  readonly keyless: readonly Keyless[];
  /** Why the user's own servers are not among them, in a sentence each. */
  readonly away: readonly string[];
}

const PATIENCE_MS = 3000;
const MAX_OF_ONE = 3;

/** Asks the user's own servers for their models; sends nothing to a hosted API. */
export async function firstChoices(
  place: HostEnvironment,
  stop: AbortSignal,
): Promise<FirstChoices> {
  const ready: ReadyModel[] = [];
  const obtainable: Obtainable[] = [];
  const keyless: Keyless[] = [];
  const away: string[] = [];
  for (const name of PROVIDER_NAMES) {
    const row = rowOf(name);
    if (row.kind === 'hosted') {
      const key = keyOf(row, place);
      const { label, example: model } = row;
      if (key !== null) ready.push({ label, model, by: key.profile, isHosted: true });
      else keyless.push({ name, label, model });
    } else if (row.kind === 'local' && row.hostVariable !== undefined) {
      const found = await serverChoices(name, row, place, stop);
      if (typeof found === 'string') away.push(found);
      else if (found === null) obtainable.push(...modelFor(name, row, FIRST_MODEL, FIRST_SIZE));
      else ready.push(...found);
    } else if (row.kind === 'local') {
      const { label } = row;
      const { models, where, problem } = await row.list(nothingSaid(stop), place);
      if (problem === '')
        for (const { name: model } of models.slice(0, MAX_OF_ONE))
          ready.push({ label, model, by: where, isHosted: false });
      else if (obtainable.length === 0 && name === EMBEDDED_PROVIDER)
        obtainable.push(...modelFor(name, row, DEFAULT_EMBEDDED_MODEL, FIRST_EMBEDDED_SIZE));
    }
  }
  return { ready: ready.sort(ownFirst), obtainable, keyless, away };
}

const ownFirst = (one: ReadyModel, other: ReadyModel): number =>
  Number(one.isHosted) - Number(other.isHosted);

const nothingSaid = (signal: AbortSignal) => ({ host: null, baseUrl: null, signal });

/** `null`: the server runs but has no model. A sentence: it does not run. */
async function serverChoices(
  name: ProviderName,
  row: LocalRow,
  place: HostEnvironment,
  stop: AbortSignal,
): Promise<readonly ReadyModel[] | string | null> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const signal = AbortSignal.any([stop, patience]);
  try {
    const request = { ...nothingSaid(signal), model: null, report: null };
    const { provider, model, where } = await row.open(request, place);
    try {
      const others = (await provider.list(signal)).filter((one) => one !== model);
      return [model, ...others].slice(0, MAX_OF_ONE).map((one) => ({
        label: row.label,
        model: `${name}/${one}`,
        by: where,
        isHosted: false,
      }));
    } finally {
      await provider.close();
    }
  } catch (error) {
    stop.throwIfAborted();
    if (patience.aborted) return `${row.label} gave no answer within ${PATIENCE_MS / 1000} s.`;
    if (!(error instanceof ProviderError)) throw error;
    return error.status.kind === 'model_error' ? null : error.message;
  }
}

const modelFor = (
  name: ProviderName,
  { setup }: LocalRow,
  model: string,
  size: string,
): readonly Obtainable[] => {
  const separator = setup === 'engine' ? ':' : '/';
  return setup === undefined
    ? []
    : [{ part: name as SetupPart, model, spec: `${name}${separator}${model}`, size }];
};

/** Why an API rejects a key, in its own words without the key; `null` if it accepts it, or cannot be asked. */
export async function keyRefusal(
  name: ProviderName,
  apiKey: string,
  place: HostEnvironment,
  signal: AbortSignal,
): Promise<string | null> {
  const row: HostedRow | null = hostedRow(name);
  if (row === null) return null;
  const { accounts = NO_ACCOUNTS } = place;
  const providers = { ...accounts.providers, [name]: { ...accounts.providers[name], apiKey } };
  const account = hostedAccount(row, null, { ...place, accounts: { ...accounts, providers } });
  const provider = await hostedProvider(row, account);
  try {
    await provider.list(signal);
    return null;
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.status.kind === 'auth_failed';
    return isRefused ? textScrubber([apiKey])(error.message) : null;
  } finally {
    await provider.close();
  }
}

function hostedRow(name: ProviderName): HostedRow | null {
  const row = rowOf(name);
  return row.kind === 'hosted' ? row : null;
}
