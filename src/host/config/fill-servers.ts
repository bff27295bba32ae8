/** Pure: the MCP servers of a settings file, with environment variables filled in. */

import { defined } from '../../lib/defined.ts';
import type { ServerEntries, ServerEntry } from '../../schema/servers.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { homeFolderOf } from '../user/user-folders.ts';
import { type ConfigDocument, configFault } from './document.ts';
import { type Filled, filler } from './fill-accounts.ts';
import type { ConfigForm } from './form.ts';
import { faultInAddress, type ServerFields } from './server-form.ts';

/**
 * A program that starts packages and modules prefers those of its current folder. The user's servers get the user's
 * keys, so they never start in the workspace unless their entry says so. Throws E_USAGE with file and line.
 */
export function serversIn(
  document: ConfigDocument,
  { mcpServers = {} }: ConfigForm,
  { env, platform }: Pick<HostEnvironment, 'env' | 'platform'>,
): ServerEntries {
  // A server starts in the home folder, never in the workspace: it could start programs that lie there.
  const home = homeFolderOf({ env, platform });
  const filled = filler(document, env);
  return Object.fromEntries(
    Object.entries(mcpServers).map(([name, fields]) => {
      const path = ['mcpServers', name];
      const entry = entryOf(fields, (text, at) => filled(text, [...path, ...at]));
      const fault = 'url' in entry ? faultInAddress(entry.url) : null;
      if (fault !== null)
        throw configFault(
          document.file,
          document.lineOf([...path, 'url']),
          `${[...path, 'url'].join('.')}: ${fault}.`,
          'Give it like https://example.com/mcp or http://127.0.0.1:3001/mcp.',
        );
      const { required, cwd = home } = fields;
      const own = 'command' in entry ? { ...entry, ...defined({ cwd }) } : entry;
      return [name, { ...own, ...defined({ required }) }];
    }),
  );
}

/** @param fields have been checked */
export function entryOf(fields: ServerFields, filled: Filled): ServerEntry {
  const all = (name: 'env' | 'headers') =>
    Object.fromEntries(
      Object.entries(fields[name] ?? {}).map(([key, value]) => [key, filled(value, [name, key])]),
    );
  const { command, args = [], url, host = '', port = 0, sandbox } = fields;
  if (command !== undefined)
    return {
      command: filled(command, ['command']),
      args: args.map((word, index) => filled(word, ['args', index])),
      env: all('env'),
      ...defined({ sandbox }),
    };
  if (url !== undefined) return { url: filled(url, ['url']).trim(), headers: all('headers') };
  return { host: filled(host, ['host']), port };
}
