/**
 * From a request to its answer: who asks, for what, and whether they may; then the route does its work.
 *
 * 1. No body is read and nothing is looked up before host, origin and token are checked.
 * 2. Every request is answered, and an answer about an internal error only says where the error is stored.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type * as z from 'zod';
import { openApi } from '../api/openapi.ts';
import type { RouteRow } from '../api/route-row.ts';
import { IDEMPOTENT, ROUTES, type RouteName } from '../api/routes.ts';
import type { Right } from '../api/schemas.ts';
import type { ServerPlace } from '../place.ts';
import { type Audit, type AuditLine, aboutIn } from './audit.ts';
import { readRequestBody } from './body.ts';
import { checkDoor, type ServerNames } from './door.ts';
import { FrameWriter } from './frames.ts';
import type { RequestLimits } from './limits.ts';
import type { Once } from './once.ts';
import { SAFE_HEADERS, servePage } from './page.ts';
import { refusalAnswer, ServerRefusal } from './problem.ts';
import type { Holder, Tokens } from './tokens.ts';

type BodyOf<Name extends RouteName> =
  (typeof ROUTES)[Name]['body'] extends z.ZodType<infer Body> ? Body : null;

export interface RouteCall<Name extends RouteName> {
  /** A segment of the path; '' if the path does not have it. */
  part(name: 'run' | 'session' | 'id' | 'seq' | 'action'): string;
  readonly query: URLSearchParams;
  readonly body: BodyOf<Name>;
  readonly rights: readonly Right[];
  /** The client's name for this request, which makes it happen once; `null`: none. */
  readonly key: string | null;
  /** The id of the event after which a stream continues; `null`: from the first. */
  readonly after: string | null;
  /** Turns the answer into a stream. */
  frames(): FrameWriter;
}

/** Resolves with the answer; a stream resolves with nothing, at its end. */
export type Handlers = {
  readonly [Name in Exclude<RouteName, 'openapi'>]: (call: RouteCall<Name>) => unknown;
};

export interface HttpParts {
  readonly place: ServerPlace;
  readonly tokens: Tokens;
  readonly limits: RequestLimits;
  readonly audit: Audit;
  readonly handlers: Handlers;
  readonly once: Once;
  /** The open streams. */
  readonly writers: Set<FrameWriter>;
  names(): ServerNames;
  /** True: nothing new may begin. */
  isStopping(): boolean;
  /** @param id the run or the conversation that a request was for; '' if for none */
  changed(id: string): void;
}

const MAX_HEADERS = 16 * 1024;

export function httpServer(parts: HttpParts): Server {
  const server = createServer(
    { maxHeaderSize: MAX_HEADERS, requestTimeout: 30_000, headersTimeout: 10_000 },
    (request, response) => void answer(parts, request, response),
  );
  server.keepAliveTimeout = 60_000;
  server.maxConnections = 1_500;
  return server;
}

async function answer(
  parts: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { place, audit } = parts;
  const seen: Seen = { who: '', what: '' };
  response.setHeader('X-Tardigrade-Version', place.version);
  try {
    await answered(parts, request, response, seen);
    if (request.method !== 'GET') audit.note({ ...seen, status: response.statusCode });
  } catch (error) {
    const { status, headers, problem } = refusalAnswer(error, place.keepError);
    if (request.method !== 'GET' || AT_THE_DOOR.has(status))
      audit.note({ ...seen, status, code: problem.code });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // The unread rest of a body would be taken for the next request.
    if (!request.complete) response.setHeader('Connection', 'close');
    const type = { 'Content-Type': 'application/problem+json' };
    response.writeHead(status, {
      ...SAFE_HEADERS,
      ...headers,
      ...type,
      'Cache-Control': 'no-store',
    });
    response.end(JSON.stringify(problem));
  }
}

/** What is known of a request when it is done or refused. */
type Seen = { -readonly [Field in keyof Omit<AuditLine, 'status' | 'code'>]: AuditLine[Field] };

/** Refused because of the sender, whatever the request was. */
const AT_THE_DOOR: ReadonlySet<number> = new Set([401, 403, 421, 429]);

async function answered(
  parts: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
  seen: Seen,
): Promise<void> {
  const { place, tokens, limits, handlers, once } = parts;
  const { method = '', headers } = request;
  const names = parts.names();
  checkDoor(method, headers, names);
  const url = urlOf(request.url ?? '/');
  const found = routeOf(method, url.pathname);
  if (found === null) {
    if (
      method === 'GET' &&
      servePage(response, url.pathname, { fs: place.fs, folder: place.pageFolder })
    )
      return;
    throw notFound(url.pathname);
  }
  const { name, row, parts: inPath } = found;
  seen.what = name;
  const of = inPath.run ?? inPath.session;
  if (of !== undefined) seen.of = of;
  const holder = row.right === null ? NOBODY : tokens.holderOf(headers.authorization);
  seen.who = holder.name;
  mayAsk(holder, row.right);
  if (row.right !== null) limits.count(holder);
  if (parts.isStopping())
    throw new ServerRefusal('E_STOPPING', 'The server is stopping.', 'Try again in a moment.');
  if (name === 'openapi') return reply(response, 200, openApi(place.version));
  const { body, text } =
    row.body === null ? { body: null, text: '' } : await readRequestBody(request, row.body);
  Object.assign(seen, aboutIn(body));
  const named = headers['idempotency-key'];
  const key = IDEMPOTENT.has(name) && typeof named === 'string' && named !== '' ? named : null;
  const last = headers['last-event-id'];
  const call = {
    query: url.searchParams,
    rights: holder.rights,
    body,
    key,
    part: (word: string) => decoded(inPath[word] ?? ''),
    after: typeof last === 'string' ? last : url.searchParams.get('after'),
    frames: () => framesOf(parts, response, { holder, path: url.pathname }),
  };
  const work = async () => {
    try {
      return await (handlers[name] as (call: unknown) => unknown)(call);
    } finally {
      if (method !== 'GET') parts.changed(of ?? '');
    }
  };
  const done = await (key === null
    ? work()
    : once.done(`${name} ${url.pathname}`, key, text, work));
  if (row.answer.body !== 'events') reply(response, row.answer.status, done);
}

/** Throws if it cannot be read. */
function urlOf(target: string): URL {
  // After a host `//x` is a path; by itself it would name a host.
  const whole = target.startsWith('/') ? `http://localhost${target}` : target;
  if (URL.canParse(whole, 'http://localhost')) return new URL(whole, 'http://localhost');
  throw notFound(target);
}

/** Throws if a segment of a path cannot be read. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw notFound(segment);
  }
}

const MAX_STREAMS = 1000;

const NOBODY: Holder = { name: '', rights: [], isOwn: false };

/** Throws if the right is missing. */
export function mayAsk({ rights }: Pick<Holder, 'rights'>, right: Right | null): void {
  if (right === null || rights.includes(right)) return;
  throw new ServerRefusal(
    'E_RIGHT',
    `This token has not the right to ${right}.`,
    'Use a link with that right.',
  );
}

function framesOf(
  { writers, limits, place }: HttpParts,
  response: ServerResponse,
  { holder, path }: { readonly holder: Holder; readonly path: string },
): FrameWriter {
  if (writers.size >= MAX_STREAMS)
    throw new ServerRefusal('E_TOO_MANY', `${MAX_STREAMS} streams are open.`, 'Close one of them.');
  const close = limits.open(holder, path);
  const writer = new FrameWriter(response, place.clock);
  writers.add(writer);
  const gone = (): void => {
    writers.delete(writer);
    close();
  };
  writer.gone.addEventListener('abort', gone, { once: true });
  return writer;
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  const headers = { ...SAFE_HEADERS, 'Cache-Control': 'no-store' };
  if (status === 204) {
    response.writeHead(204, headers).end();
    return;
  }
  response.writeHead(status, { ...headers, 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Segments of a path that are more, or fewer, than letters. */
const PART: { readonly [name: string]: string } = {
  // The name of a call is `1.2#3`.
  action: '(?:[\\w.-]|%23){1,100}',
  // A provider may name a call in any way.
  id: '[^/]{1,2000}',
  seq: '\\d{1,15}',
};

const PATTERNS = (Object.entries(ROUTES) as [RouteName, RouteRow][]).map(([name, row]) => ({
  name,
  row,
  pattern: new RegExp(
    `^${row.path.replace('.', '\\.').replace(/\{(\w+)\}/g, (_, name) => `(?<${name}>${PART[name] ?? '[\\w-]{1,100}'})`)}$`,
  ),
}));

/** `null` if there is no such path. Throws if the path exists for another method. */
function routeOf(method: string, path: string) {
  const allowed: string[] = [];
  for (const { name, row, pattern } of PATTERNS) {
    const match = pattern.exec(path);
    if (match === null) continue;
    if (row.method === method) return { name, row, parts: { ...match.groups } };
    allowed.push(row.method);
  }
  if (allowed.length === 0) return null;
  const words = `That is asked by ${allowed.join(' or ')}.`;
  throw new ServerRefusal('E_METHOD', words, 'See /openapi.json.', { Allow: allowed.join(', ') });
}

const notFound = (path: string): ServerRefusal =>
  new ServerRefusal(
    'E_UNKNOWN',
    `There is nothing at ${path.slice(0, 200)}.`,
    'See /openapi.json.',
  );
