/** Pure: the keys and addresses of a settings file, with environment variables filled in. */
import { defined } from '../../lib/defined.ts';
import type { HostEnvironment } from '../host-environment.ts';
import type { Accounts, OwnProviderSettings } from './accounts.ts';
import { formatPath } from './check.ts';
import { type ConfigDocument, configFault, type SettingPath } from './document.ts';
import { expand } from './expand.ts';
import type { ConfigForm } from './form.ts';

/** Fills a text at a place in the file; throws E_USAGE with file and line. */
export type Filled = (text: string, path: SettingPath) => string;

export function filler(document: ConfigDocument, env: HostEnvironment['env']): Filled {
  return (text, path) => {
    const expanded = expand(text, env);
    if (expanded.kind === 'text') return expanded.text;
    throw configFault(
      document.file,
      document.lineOf(path),
      `${formatPath(path)}: ${expanded.fault}.`,
      `Set the variable, or give a value for when it is not set: \${NAME:-value}.`,
    );
  };
}

/** Fills in environment variables. Throws E_USAGE with file and line. */
export function accountsIn(
  document: ConfigDocument,
  { providers = {}, profiles = [] }: ConfigForm,
  env: HostEnvironment['env'],
): Accounts {
  const filled = filler(document, env);
  const settingsOf = (name: string, settings: OwnProviderSettings): OwnProviderSettings => {
    const { apiKey, apiKeyCommand, baseUrl, headers } = settings;
    const path = ['providers', name];
    const at = (...parts: SettingPath) => [...path, ...parts];
    const filledHeaders = Object.entries(headers ?? {}).map(([header, value]) => [
      header,
      filled(value, at('headers', header)),
    ]);
    return defined({
      apiKey: apiKey === undefined ? undefined : filled(apiKey, at('apiKey')).trim(),
      apiKeyCommand: apiKeyCommand?.map((word, index) => filled(word, at('apiKeyCommand', index))),
      baseUrl: baseUrl === undefined ? undefined : filled(baseUrl, at('baseUrl')).trim(),
      headers: headers && Object.fromEntries(filledHeaders),
    });
  };
  return {
    providers: Object.fromEntries(
      Object.entries(providers).flatMap(([name, settings]) =>
        settings === undefined ? [] : [[name, settingsOf(name, settings)]],
      ),
    ),
    profiles: profiles.map((profile, index) => ({
      ...profile,
      apiKey: filled(profile.apiKey, ['profiles', index, 'apiKey']).trim(),
    })),
  };
}
