// Where Ollama is: the server's own reading of OLLAMA_HOST, as a pure function.
import { isIPv6 } from 'node:net';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { takes } from '../../lib/takes.ts';
import { addressWithoutCredentials, holdsCredentials } from '../../lib/text/addresses.ts';

/** Addresses that mean "every interface" to a server; a client reaches them on the loopback. */
const ANY_ADDRESS: Readonly<Record<string, string>> = {
  '': '127.0.0.1',
  '0.0.0.0': '127.0.0.1',
  '::': '::1',
};

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * The base URL for a value of OLLAMA_HOST or of the option `host`, without a slash at its end.
 * Follows ollama `envconfig/config.go`: quotes and space trimmed, no scheme means http on port
 * 11434, `http://h` means port 80, a bad port means the default one, a path is kept. Throws E_USAGE
 * for an address that cannot be used, or that holds credentials.
 */
export function parseOllamaHost(value: string | undefined): string {
  if (value !== undefined) takes('parseOllamaHost', 'a text', value);
  const text = trimQuotes(value ?? '');
  if (holdsCredentials(text)) throw withKey(text);
  const schemeEnd = text.indexOf('://');
  const scheme = schemeEnd < 0 ? 'http' : text.slice(0, schemeEnd).toLowerCase();
  const defaultPort = schemeEnd < 0 ? '11434' : DEFAULT_PORTS[scheme];
  if (defaultPort === undefined) throw nonsense(value, `"${scheme}" is not a web address`);
  const rest = schemeEnd < 0 ? text : text.slice(schemeEnd + 3);
  const slash = rest.indexOf('/');
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const path = slash < 0 ? '' : rest.slice(slash).replace(/\/+$/, '');
  const { host, port } = splitAuthority(authority);
  const name = ANY_ADDRESS[host] ?? host;
  if (!isUsableName(name)) throw nonsense(value, `"${name}" is not a host name`);
  const shownName = isAddress6(name) ? `[${name}]` : name;
  return `${scheme}://${shownName}:${isPort(port) ? port : defaultPort}${path}`;
}

const trimQuotes = (text: string): string =>
  text
    .trim()
    .replace(/^["']+/, '')
    .replace(/["']+$/, '')
    .trim();

function splitAuthority(authority: string): { host: string; port: string } {
  const bare = authority.replace(/^\[|\]$/g, '');
  if (isAddress6(bare)) return { host: bare, port: '' };
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(authority);
  if (bracketed) return { host: bracketed[1] ?? '', port: bracketed[2] ?? '' };
  const colon = authority.lastIndexOf(':');
  if (colon < 0) return { host: authority, port: '' };
  return { host: authority.slice(0, colon), port: authority.slice(colon + 1) };
}

/**
 * Node compiles its expression for addresses in each process, which takes longer than everything
 * else here. A host with a port has one colon, an address at least two.
 */
const isAddress6 = (text: string): boolean =>
  text.indexOf(':') !== text.lastIndexOf(':') && isIPv6(text);

const isPort = (port: string): boolean => /^\d{1,5}$/.test(port) && Number(port) <= 65535;

/** Tests for usual names first, because a class of all letters is slow to compile. */
const hasUsualLetters = (name: string): boolean =>
  /^[\w.-]+$/.test(name) || /^[\p{L}\p{N}._-]+$/u.test(name);

const isUsableName = (name: string): boolean =>
  isAddress6(name) || (hasUsualLetters(name) && URL.canParse(`http://${name}`));

/** A password would end up in every message that shows the address. */
const withKey = (text: string): TardigradeError =>
  misuse(
    `The Ollama host ${addressWithoutCredentials(text)} holds a name, a password or a key, and addresses are shown and remembered.`,
    'Leave them out; if a server needs them, let a proxy on this machine add them.',
    { option: 'host' },
  );

const nonsense = (value: string | undefined, why: string): TardigradeError =>
  misuse(
    `The Ollama host "${value ?? ''}" cannot be used: ${why}.`,
    'Give it as HOST, HOST:PORT or http://HOST:PORT, for example 127.0.0.1:11434.',
    { option: 'host' },
  );
