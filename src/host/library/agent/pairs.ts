/** The order of asking: each provider for each model. Nothing is opened before it is needed. */

import { type Candidate, DEFAULT_PROFILE } from '../../../llm/failover/candidate.ts';
import type { Provider } from '../../../llm/provider.ts';
import type { Machine } from '../../../run/machine.ts';
import { accountSecrets, type ProviderSettings } from '../../config/accounts.ts';
import { lazyProvider } from '../../models/candidates.ts';
import { callersProvider } from '../callers-provider.ts';
import { openForCall } from '../open-model.ts';
import { isProvider } from './checked.ts';
import type { AIAgentOptions } from './contract.ts';

export interface Pairs {
  readonly candidates: readonly Candidate[];
  /** Keys from the caller. */
  readonly keys: readonly string[];
  /** Closes providers that were opened here; a provider of the caller stays open. */
  close(): Promise<void>;
}

/** @param start the index of the first pair; those before it come last */
export function pairsOf(
  { providers, models, config, workspace = '.' }: AIAgentOptions,
  start: number,
  { machine, signal }: { readonly machine: Machine; readonly signal: AbortSignal },
): Pairs {
  const settings = config?.providers ?? {};
  const accounts: { [name: string]: ProviderSettings } = {};
  for (const [name, one] of Object.entries(settings)) if (!isProvider(one)) accounts[name] = one;
  const opened: Provider[] = [];
  const byName = (name: string, model: string): Provider => {
    const request = { model: `${name}/${model}`, providers: accounts };
    const place = { workspace, machine, signal };
    const open = async () => (await openForCall(request, null, place)).provider;
    const provider = lazyProvider(name, open);
    opened.push(provider);
    return provider;
  };
  const all = providers.flatMap((one) =>
    models.map((model): Candidate => {
      const own = typeof one === 'string' ? settings[one] : one;
      const provider = isProvider(own) ? callersProvider(own) : byName(String(one), model);
      return { provider, model, profile: DEFAULT_PROFILE };
    }),
  );
  return {
    candidates: [...all.slice(start), ...all.slice(0, start)],
    keys: accountSecrets({ providers: accounts, profiles: [] }),
    close: async () => {
      await Promise.all(opened.map((provider) => provider.close()));
    },
  };
}
