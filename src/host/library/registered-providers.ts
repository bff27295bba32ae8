/**
 * Providers that the program which embeds this one brings along, by the names that models are called with.
 * What a process registers is there for all its calls: the one thing of the library that they share.
 */
import { TardigradeError } from '../../lib/errors.ts';
import type { Provider } from '../../llm/provider.ts';
import type { ProviderSettings } from '../config/accounts.ts';
import { isProviderName } from '../providers/providers.ts';

/** @param settings what `providers` of a call says of it */
export type MakeProvider = (
  settings: ProviderSettings & { readonly model: string },
) => Provider | Promise<Provider>;

const registered = new Map<string, MakeProvider>();

/**
 * Makes `name/MODEL` mean a model of this provider; the function that is returned takes it back. Throws E_USAGE
 * for a name that is taken, or that is not made of small letters, digits and `-`.
 */
export function registerProvider(name: string, make: MakeProvider): () => void {
  if (!/^[a-z][a-z0-9-]*$/.test(name) || isProviderName(name) || registered.has(name))
    throw new TardigradeError(
      'E_USAGE',
      `A provider cannot be registered as "${name}".`,
      'Choose a name of small letters, digits and - that no other provider has.',
    );
  registered.set(name, make);
  return () => {
    if (registered.get(name) === make) registered.delete(name);
  };
}

/** `null` for the name of a model that no registered provider has. */
export function registeredFor(
  text: string,
): { readonly name: string; readonly model: string; readonly make: MakeProvider } | null {
  const [, name = '', model = ''] = /^([a-z][a-z0-9-]*)\/(.+)$/s.exec(text.trim()) ?? [];
  const make = registered.get(name);
  return make === undefined ? null : { name, model, make };
}
