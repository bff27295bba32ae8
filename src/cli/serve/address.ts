/** Pure: where the server listens, from options and environment. */
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import type { ServerOptions } from '../../server/app.ts';
import type { Invocation } from '../command-line/invocation.ts';

export const USUAL_PORT = 5000;
const USUAL_HOST = '127.0.0.1';
const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/;

/** Listens on the first address of the environment. Throws E_USAGE for an address that is not of this machine. */
export function hostAndPort({
  host: typed,
  port,
  urls = '',
}: Pick<Invocation, 'host' | 'port' | 'urls'>): Omit<ServerOptions, 'place'> {
  const texts = urls.split(/[\s,;]+/).filter(Boolean);
  const [first, ...rest] = texts.map(urlIn);
  const host = plainHost(typed ?? first?.hostname ?? USUAL_HOST);
  if (!LOOPBACK.test(host)) throw notLocal(host);
  const usual = Number(portIn(texts[0] ?? '') || USUAL_PORT);
  return { host, port: port ?? usual, others: rest.map(({ origin }) => origin) };
}

/** The port of an address; '' if none is written. The usual port of a protocol does not stand in a URL. */
function portIn(address: string): string {
  const other = address.replace(/^\w+:/, 'any:');
  return URL.canParse(other) ? new URL(other).port : '';
}

const plainHost = (host: string): string => {
  const plain = host.replace(/^\[(.*)\]$/, '$1');
  return plain === 'localhost' ? USUAL_HOST : plain;
};

function urlIn(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw misuse(
    `TARDIGRADE_URLS holds "${text}", which is not an address.`,
    'Give for example http://127.0.0.1:5000.',
  );
}

const notLocal = (host: string): TardigradeError =>
  misuse(
    `The server listens only on this machine, and ${host} is not one of its addresses.`,
    'From elsewhere use ssh -L 5000:127.0.0.1:5000 MACHINE, or a proxy with TLS whose address comes second in TARDIGRADE_URLS.',
  );
