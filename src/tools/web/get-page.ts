/**
 * One GET request to an address that was checked against the special ranges before connecting.
 * 1. A name is resolved once. If one of its addresses is special, none is used. The connection goes to the
 *    checked addresses, so a later change of the name does not matter.
 * 2. No cookie, key or header of the user is sent.
 * 3. Every answer is limited: in bytes after decompression, and in time by the signal.
 * Behind a proxy, the proxy resolves the name; the caller has made sure that the name was allowed.
 */
import type { LookupAddress } from 'node:dns';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex, Readable, Transform } from 'node:stream';
import { decoded } from '../../lib/text/addresses.ts';
import type { WebPorts } from './ports.ts';
import { isSpecialAddress } from './special-ranges.ts';

export const MAX_BYTES = 2 * 1024 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

/** Why nothing was fetched, as a sentence. */
export class NotFetched extends Error {}

export interface PageResponse {
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string;
  /** Set for a redirect. */
  readonly location: string | null;
  readonly body: Buffer;
  /** Set if the body was longer. */
  readonly isCut: boolean;
}

type Ports = Pick<WebPorts, 'lookup' | 'isSpecial' | 'proxyFor'>;

/** Rejects with `NotFetched` and with Node's errors. @param userAgent of this program */
export async function getPage(
  url: URL,
  ports: Ports,
  { signal, userAgent }: { readonly signal: AbortSignal; readonly userAgent: string },
): Promise<PageResponse> {
  const proxy = ports.proxyFor(url);
  if (proxy === 'unreadable')
    throw new NotFetched(
      'The environment names a proxy that is not a valid address, so nothing is fetched. It has to be like http://host:port.',
    );
  const addresses = await checkedAddresses(url, ports, proxy !== null);
  const headers = {
    accept: 'text/html, text/plain;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1',
    'accept-encoding': 'gzip, br',
    'user-agent': userAgent,
  };
  const options: RequestOptions = {
    method: 'GET',
    agent: false,
    headers,
    signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    ...(proxy === null ? { lookup: leadingTo(addresses) as never } : {}),
  };
  const sent =
    proxy === null ? await direct(url, options) : await throughProxy(url, proxy, options);
  return read(await answerTo(sent));
}

/** Invariant 1. Empty behind a proxy, because names are not resolved here. */
async function checkedAddresses(
  url: URL,
  { lookup, isSpecial = isSpecialAddress }: Ports,
  isProxied: boolean,
): Promise<readonly LookupAddress[]> {
  const { hostname } = url;
  const literal = literalOf(url);
  const family = isIP(literal);
  if (family === 0 && isProxied) return [];
  const found = family === 0 ? await lookup(hostname) : [{ address: literal, family }];
  const special = found.find(({ address }) => isSpecial(address));
  if (special === undefined && found.length > 0) return found;
  if (special === undefined) throw new NotFetched(`${hostname} has no address.`);
  const what = family === 0 ? `${hostname} leads to ${special.address}, which` : literal;
  throw new NotFetched(
    `${what} is an address of this machine, of a private network or for a special use: nothing is fetched there.`,
  );
}

/** The host without the brackets of an IPv6 address. */
const literalOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

type Callback = (error: Error | null, found: unknown, family?: number) => void;

const leadingTo =
  (addresses: readonly LookupAddress[]) =>
  (_name: string, options: { readonly all?: boolean }, callback: Callback): void => {
    const [first] = addresses;
    if (options.all) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };

async function direct(url: URL, options: RequestOptions): Promise<ClientRequest> {
  const { request } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return request(url, options);
}

async function throughProxy(url: URL, proxy: URL, options: RequestOptions): Promise<ClientRequest> {
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:')
    throw new NotFetched(
      `Proxies of the kind ${proxy.protocol}// are not supported. The environment has to name an http:// or https:// proxy.`,
    );
  const who = `${decoded(proxy.username)}:${decoded(proxy.password)}`;
  const own =
    who === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(who).toString('base64')}` };
  const to = new URL(proxy.origin);
  if (url.protocol === 'http:') {
    const headers = { ...options.headers, ...own, host: url.host };
    return direct(to, { ...options, headers, path: url.href.replace(/#.*$/, '') });
  }
  const target = `${url.hostname}:${url.port || '443'}`;
  const connect = await direct(to, {
    ...options,
    method: 'CONNECT',
    path: target,
    headers: { ...own, host: target },
  });
  const secured = await securedRequest(url, options);
  return new Promise((resolve, reject) => {
    connect.on('connect', ({ statusCode }, opened) => {
      // The connection is passed on at once: until then nothing handles its errors.
      if (statusCode === 200) return resolve(secured(opened));
      opened.destroy();
      reject(new NotFetched(`The proxy refused the connection (${statusCode}).`));
    });
    connect.on('response', (answer) => {
      answer.destroy();
      reject(new NotFetched(`The proxy refused the connection (${answer.statusCode}).`));
    });
    connect.on('error', reject);
    connect.on('close', () => reject(hungUp()));
    connect.end();
  });
}

/** A request through a connection that a proxy opened. */
async function securedRequest(url: URL, { agent: _, ...options }: RequestOptions) {
  const [{ request }, { connect }] = await Promise.all([import('node:https'), import('node:tls')]);
  const host = literalOf(url);
  const servername = isIP(host) === 0 ? host : '';
  // Any `agent` option, even `false`, would make node open a connection of its own.
  return (socket: Duplex): ClientRequest =>
    request(url, { ...options, createConnection: () => connect({ socket, host, servername }) });
}

const answerTo = (sent: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new NotFetched('The server went over to another protocol, which nobody asked for.'));
    });
    // Needed even after the answer has arrived, because nothing else handles later errors.
    sent.on('error', reject);
    sent.on('close', () => reject(hungUp()));
    sent.end();
  });

const hungUp = (): Error => new NotFetched('The connection was closed before an answer came.');

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function read(answer: IncomingMessage): Promise<PageResponse> {
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = answer;
  const location = REDIRECTS.has(status) ? (headers.location ?? null) : null;
  const head = { status, statusText, contentType: headers['content-type'] ?? '', location };
  if (location !== null) {
    answer.destroy();
    return { ...head, body: Buffer.alloc(0), isCut: false };
  }
  try {
    return { ...head, ...(await upTo(await plain(answer), MAX_BYTES)) };
  } finally {
    answer.destroy();
  }
}

/** Removes the compression. An encoding that was not requested is not guessed. */
async function plain(answer: IncomingMessage): Promise<Readable> {
  const encoding = (answer.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return answer;
  const zlib = await import('node:zlib');
  const makers: { readonly [encoding: string]: (() => Transform) | undefined } = {
    gzip: zlib.createGunzip,
    'x-gzip': zlib.createGunzip,
    deflate: zlib.createInflate,
    br: zlib.createBrotliDecompress,
  };
  const make = Object.hasOwn(makers, encoding) ? makers[encoding] : undefined;
  if (make === undefined)
    throw new NotFetched('The server compressed the page in a way that is not read here.');
  const stream = make();
  answer.on('error', (error) => stream.destroy(error));
  return answer.pipe(stream);
}

/** A small answer may decompress endlessly, so no more is decompressed than is kept. */
async function upTo(stream: Readable, most: number): Promise<Pick<PageResponse, 'body' | 'isCut'>> {
  const parts: Buffer[] = [];
  let room = most;
  for await (const part of stream as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, room));
    room -= part.length;
    if (room < 0) break;
  }
  return { body: Buffer.concat(parts), isCut: room < 0 };
}
