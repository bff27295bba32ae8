/**
 * Providers of the embedding program, by the names used for models. A registered provider serves all calls of its
 * process: it is the only state that library calls share.
 */
import { misuse } from '../../lib/errors.ts';
import type { Provider } from '../../llm/provider.ts';
import type { ProviderSettings } from '../config/accounts.ts';
import { isProviderName } from '../providers/providers.ts';

/** @param settings from `providers` of a call */
export type MakeProvider = (
  settings: ProviderSettings & { readonly model: string },
) => Provider | Promise<Provider>;

const registered = new Map<string, MakeProvider>();

/**
 * Makes `name/MODEL` refer to this provider; the returned function undoes that. Throws E_USAGE for a name that is
 * taken, or that has other characters than small letters, digits and `-`.
 */
export function registerProvider(name: string, make: MakeProvider): () => void {
  if (!/^[a-z][a-z0-9-]*$/.test(name) || isProviderName(name) || registered.has(name))
    throw misuse(
      `A provider cannot be registered as "${name}".`,
      'Choose a name of small letters, digits and - that no other provider has.',
    );
  if (typeof make !== 'function')
    throw misuse(
      `Nothing makes the provider "${name}".`,
      'Give a function that returns the provider.',
    );
  registered.set(name, make);
  return () => {
    if (registered.get(name) === make) registered.delete(name);
  };
}

/** `null` if no registered provider has a model of that name. */
export function registeredFor(
  text: string,
): { readonly name: string; readonly model: string; readonly make: MakeProvider } | null {
  const [, name = '', model = ''] = /^([a-z][a-z0-9-]*)\/(.+)$/s.exec(text.trim()) ?? [];
  const make = registered.get(name);
  return make === undefined ? null : { name, model, make };
}
