/** Hugging Face's resolve protocol: what it promises about a file, and the file's bytes. */
import { networkFailure } from '../http/network-failures.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { invalidAnswer } from '../provider.ts';
import { downloadStopped, Interruption, refusal } from './download-failure.ts';
import type { HubFile } from './hub-file.ts';

export interface HubAccess {
  /** Base URL without a slash at its end: HF_ENDPOINT. */
  readonly endpoint: string;
  /** HF_TOKEN; '' without one. Sent only to the endpoint, and never shown. */
  readonly token: string;
}

/** What the hub says about a file before it is downloaded. */
export interface Promised {
  /** The current address of its bytes; such an address is signed and lasts for minutes. */
  readonly url: string;
  readonly bytes: number;
  /** Identifies the content: it changes when the file does. */
  readonly etag: string;
  /** The SHA-256 in hex, `null` if the server does not tell (it does for every large file). */
  readonly sha256: string | null;
}

export const DEFAULT_HUB = 'https://huggingface.co';
const MAX_REDIRECTS = 5;
/** The time for an answer to begin; a body has an idle limit of its own. */
const ANSWER_MS = 30_000;

/** Asks what the file is. The redirect that names its etag leads to the storage and is not followed. */
export async function askHub(
  access: HubAccess,
  hub: HubFile,
  signal: AbortSignal,
): Promise<Promised> {
  const path = [hub.owner, hub.repository, 'resolve', 'main', ...hub.file.split('/')];
  let url = `${access.endpoint}/${path.map(encodeURIComponent).join('/')}`;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await request(url, { method: 'HEAD', access, signal, headers: {} });
    const target = locationOf(response, url);
    if (target !== null && !response.headers.has('x-linked-etag')) {
      url = target;
      continue;
    }
    if (target === null && response.status !== 200) throw refused(response, access, hub);
    return promised(response, target ?? url, access);
  }
  throw new Interruption(`${hostOf(access)} redirects without an end`);
}

function promised({ headers }: Response, url: string, access: HubAccess): Promised {
  const etag = (headers.get('x-linked-etag') ?? headers.get('etag') ?? '')
    .replace(/^W\//, '')
    .replace(/"/g, '');
  const bytes = Number(headers.get('x-linked-size') ?? headers.get('content-length') ?? Number.NaN);
  if (etag === '' || !Number.isSafeInteger(bytes) || bytes <= 0) {
    throw invalidAnswer(
      `${hostOf(access)} does not answer as Hugging Face does: it names no size and no etag`,
      'check HF_ENDPOINT',
    );
  }
  return { url, bytes, etag, sha256: /^[0-9a-f]{64}$/i.test(etag) ? etag.toLowerCase() : null };
}

function refused(response: Response, access: HubAccess, hub: HubFile): Error {
  return refusal({
    status: response.status,
    code: response.headers.get('x-error-code') ?? '',
    repository: `${hub.owner}/${hub.repository}`,
    file: hub.file,
    host: hostOf(access),
    hasToken: access.token !== '',
    retryAfterMs: requestedWait(response),
  });
}

/** The bytes from `from` on, or all of them if the server does not support ranges. */
export interface Content {
  readonly from: number;
  readonly body: ReadableStream<Uint8Array>;
}

/** Throws `Interruption` for failures that may pass, such as an expired address. */
export async function openContent(
  access: HubAccess,
  promise: Promised,
  from: number,
  signal: AbortSignal,
): Promise<Content> {
  const headers = from > 0 ? { range: `bytes=${from}-` } : {};
  let url = promise.url;
  let response = await request(url, { method: 'GET', access, signal, headers });
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
    const target = locationOf(response, url);
    if (target === null) break;
    await response.body?.cancel();
    url = target;
    response = await request(url, { method: 'GET', access, signal, headers });
  }
  const { status, body } = response;
  if ((status === 200 || status === 206) && body !== null) {
    const begins = status === 200 ? 0 : rangeStart(response, promise.bytes);
    if (begins === 0 || begins === from) return { from: begins, body };
  }
  await body?.cancel();
  throw new Interruption(
    `${new URL(url).host} answered with status ${status}`,
    requestedWait(response),
  );
}

/** Where the part begins; NaN if it belongs to another file. */
function rangeStart({ headers }: Response, bytes: number): number {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
  if (match === null || (match[2] !== '*' && Number(match[2]) !== bytes)) return Number.NaN;
  return Number(match[1]);
}

interface HubRequest {
  readonly method: 'HEAD' | 'GET';
  readonly access: HubAccess;
  readonly signal: AbortSignal;
  readonly headers: { readonly [name: string]: string };
}

/** `signal` also ends the body. The caller handles redirects. */
async function request(
  url: string,
  { method, access, signal, headers }: HubRequest,
): Promise<Response> {
  const isHub = new URL(url).origin === new URL(access.endpoint).origin;
  const own = isHub && access.token !== '' ? { authorization: `Bearer ${access.token}` } : {};
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), ANSWER_MS);
  try {
    return await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...headers,
        ...own,
        'accept-encoding': 'identity',
        'user-agent': 'tardigrade-agent',
      },
      signal: AbortSignal.any([signal, patience.signal]),
    });
  } catch (error) {
    if (signal.aborted) throw downloadStopped(error);
    const why = patience.signal.aborted
      ? `no answer within ${ANSWER_MS / 1000} s`
      : networkFailure(error).cause.message;
    throw new Interruption(`${new URL(url).host}: ${why}`, null, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function locationOf({ status, headers }: Response, url: string): string | null {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null) return null;
  if (URL.canParse(location, url)) return new URL(location, url).href;
  throw invalidAnswer(`${new URL(url).host} redirects to what is no address`, 'check HF_ENDPOINT');
}

const requestedWait = ({ headers }: Response): number | null =>
  retryAfterMs((name) => headers.get(name));

export const hostOf = ({ endpoint }: HubAccess): string => new URL(endpoint).host;
