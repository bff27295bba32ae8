/** Pure: describes an MCP server to a person in full, except for the values of its secrets. */
import type { ProjectServer } from '../../host/config/project-servers.ts';
import { addressWithoutCredentials } from '../../lib/text/addresses.ts';
import { visible } from '../../lib/text/visible.ts';
import { quotedWord } from '../../policy/rules/parse.ts';
import type { ServerEntry } from '../../schema/servers.ts';

const words = (all: readonly string[]): string =>
  all.map((word) => visible(quotedWord(word) ?? word)).join(' ');

/** The command to start, or the address. */
export function commandOrAddress(server: ProjectServer['fields']): string {
  const { command, args = [], url, host = '', port } = server;
  if (command !== undefined) return words([command, ...args]);
  if (url === undefined && port === undefined) return '';
  return visible(url ?? `${host}:${port}`);
}

/** The same for the user's own servers, whose variables are already expanded: an address may hold a key. */
export const placeOfOwn = (entry: ServerEntry): string =>
  commandOrAddress(
    'url' in entry ? { url: addressWithoutCredentials(entry.url) } : entryFields(entry),
  );

const entryFields = (entry: Exclude<ServerEntry, { url: string }>): ProjectServer['fields'] =>
  'command' in entry
    ? { command: entry.command, args: [...(entry.args ?? [])] }
    : { host: entry.host, port: entry.port };

/** The variables that a project's server gets, as its file states them, and what it takes from the environment. */
export function formatServerVariables({ fields, variables }: ProjectServer): readonly string[] {
  const line = (title: string, all: { readonly [name: string]: string } = {}, between: string) =>
    Object.keys(all).length === 0
      ? []
      : [
          `${title}: ${Object.entries(all)
            .map(([name, value]) => words([`${name}${between}${value}`]))
            .join(' ')}`,
        ];
  return [
    ...line('with the variables', fields.env, '='),
    ...line('with the headers', fields.headers, ': '),
    ...(fields.sandbox === true ? ['It runs in the sandbox, or not at all.'] : []),
    variables.length === 0
      ? 'It gets nothing that only your environment holds.'
      : `It gets the values that your environment has for ${variables.join(', ')}.`,
  ];
}
