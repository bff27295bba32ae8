/**
 * Pure: what every request must satisfy before anything of it is read.
 *
 * 1. It is addressed to one of our names: a page with another host name that resolves to this address is refused.
 * 2. It comes from our own page, or from no page at all.
 * 3. The body of a change is JSON, which no form and no simple cross-origin request can send.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ServerRefusal } from './problem.ts';

export interface ServerNames {
  /** `127.0.0.1:5000`, in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** `http://127.0.0.1:5000`. */
  readonly origins: ReadonlySet<string>;
}

const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];

/** @param others further addresses that reach the server, such as that of a proxy */
export function serverNamesFor(port: number, others: readonly string[]): ServerNames {
  const urls = [...LOCAL.map((host) => `http://${host}:${port}`), ...others].map(
    (text) => new URL(text),
  );
  return {
    hosts: new Set(
      urls.flatMap(({ host, protocol, hostname }) => [host, withPort(protocol, hostname, host)]),
    ),
    origins: new Set(urls.map(({ origin }) => origin)),
  };
}

const withPort = (protocol: string, hostname: string, host: string): string =>
  host !== hostname ? host : `${hostname}:${protocol === 'https:' ? 443 : 80}`;

/** Throws if one of the invariants is violated. */
export function checkDoor(method: string, headers: IncomingHttpHeaders, names: ServerNames): void {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (!names.hosts.has(host.toLowerCase()))
    throw new ServerRefusal(
      'E_HOST',
      'This server does not go by that name.',
      'Use the address that the server printed.',
    );
  const isOwn = origin === undefined || names.origins.has(origin);
  const isSameSite = site === undefined || site === 'same-origin' || site === 'none';
  if (!isOwn || !isSameSite)
    throw new ServerRefusal(
      'E_ORIGIN',
      'A page of another origin cannot use this server.',
      'Open the page of this server.',
    );
  const hasBody =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (method === 'GET' || method === 'HEAD' || !hasBody || headers['content-length'] === '0')
    return;
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json')
    throw new ServerRefusal(
      'E_TYPE',
      'The body is not application/json.',
      'Send JSON with that Content-Type.',
    );
}
