/** Pure: the keys and addresses of a settings file, with environment variables filled in. */
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
    return {
      ...(apiKey === undefined ? {} : { apiKey: filled(apiKey, [...path, 'apiKey']).trim() }),
      ...(apiKeyCommand === undefined
        ? {}
        : {
            apiKeyCommand: apiKeyCommand.map((word, index) =>
              filled(word, [...path, 'apiKeyCommand', index]),
            ),
          }),
      ...(baseUrl === undefined ? {} : { baseUrl: filled(baseUrl, [...path, 'baseUrl']).trim() }),
      ...(headers === undefined
        ? {}
        : {
            headers: Object.fromEntries(
              Object.entries(headers).map(([header, value]) => [
                header,
                filled(value, [...path, 'headers', header]),
              ]),
            ),
          }),
    };
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
