// Pure: the secrets with which MCP servers are reached.
import { credentialsIn } from '../../lib/text/addresses.ts';
import type { ServerEntries, ServerEntry } from '../../schema/servers.ts';
import { keysIn } from './scrub.ts';

/** A shorter value is a word. */
const SHORTEST = 8;

export const secretsOfServers = (entries: ServerEntries): readonly string[] =>
  [...new Set(Object.values(entries).flatMap(secretsOf))].filter(
    (secret) => secret.trim().length >= SHORTEST,
  );

function secretsOf(entry: ServerEntry): readonly string[] {
  if ('command' in entry) {
    const { args = [], env = {} } = entry;
    return [...keysIn(env), ...args.filter((word) => word.includes('://')).flatMap(credentialsIn)];
  }
  if (!('url' in entry)) return [];
  const values = Object.values(entry.headers ?? {});
  // `Bearer KEY`: the key alone is a secret, too.
  return [
    ...values.flatMap((value) => [value, ...value.split(/\s+/)]),
    ...credentialsIn(entry.url),
  ];
}
