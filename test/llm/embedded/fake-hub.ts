import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What one server of the pair is asked; in order. */
export interface Asked {
  readonly server: 'hub' | 'storage';
  readonly method: string;
  readonly path: string;
  readonly range: string | null;
  readonly authorization: string | null;
}

/** A hub and the storage behind it, on two ports as they have two hosts in the world. */
export interface FakeHub {
  readonly url: string;
  readonly asked: Asked[];
  /** The bytes it serves; may be replaced by those of another version. */
  content: Buffer;
  /** What `x-linked-etag` says; `null`: the SHA-256 of the content. */
  etag: string | null;
  ignoresRange: boolean;
  /** Says where the LFS object is but not what: an old mirror. */
  namesNoEtag: boolean;
  /** For the next answers of the storage, one each: cuts the connection after so many bytes. */
  readonly cuts: number[];
  /** For the next answers of the hub, one each. */
  readonly refusals: { status: number; code?: string; retryAfter?: string; location?: string }[];
  /** Answers with a relative redirect once, as for a repository that was renamed. */
  isRenamed: boolean;
  close(): Promise<void>;
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export async function startFakeHub(content: Buffer): Promise<FakeHub> {
  const asked: Asked[] = [];
  const note = (server: Asked['server'], request: IncomingMessage): void => {
    const { method = '', url: path = '', headers } = request;
    const { range = null, authorization = null } = headers;
    asked.push({ server, method, path, range, authorization });
  };
  const storage = createServer((request, response) => {
    note('storage', request);
    sendContent(hub, request, response);
  });
  const front = createServer((request, response) => {
    note('hub', request);
    sendPromise(hub, request, response, portOf(storage));
  });
  await Promise.all([listen(storage), listen(front)]);
  const hub: FakeHub = {
    url: `http://127.0.0.1:${portOf(front)}`,
    asked,
    content,
    etag: null,
    ignoresRange: false,
    namesNoEtag: false,
    cuts: [],
    refusals: [],
    isRenamed: false,
    close: async () => {
      for (const server of [front, storage]) server.closeAllConnections();
      await Promise.all(
        [front, storage].map((server) => new Promise((done) => server.close(done))),
      );
    },
  };
  return hub;
}

type Listening = ReturnType<typeof createServer>;
const portOf = (server: Listening): number => (server.address() as AddressInfo).port;
const listen = (server: Listening): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

function sendPromise(
  hub: FakeHub,
  { url = '' }: IncomingMessage,
  response: ServerResponse,
  storagePort: number,
): void {
  const refusal = hub.refusals.shift();
  if (refusal !== undefined) {
    if (refusal.code !== undefined) response.setHeader('x-error-code', refusal.code);
    if (refusal.retryAfter !== undefined) response.setHeader('retry-after', refusal.retryAfter);
    if (refusal.location !== undefined) response.setHeader('location', refusal.location);
    response.writeHead(refusal.status).end();
    return;
  }
  if (hub.isRenamed && !url.startsWith('/new/')) {
    response.writeHead(307, { location: url.replace(/^\/[^/]+\/[^/]+/, '/new/name') }).end();
    return;
  }
  const etag = hub.etag ?? sha256(hub.content);
  response.setHeader('x-repo-commit', 'a'.repeat(40));
  if (!hub.namesNoEtag) {
    response.setHeader('x-linked-etag', `"${etag}"`);
    response.setHeader('x-linked-size', String(hub.content.length));
  }
  const location = `http://127.0.0.1:${storagePort}/repos/ab/cd/${etag}?X-Amz-Signature=secret`;
  response.writeHead(302, { location }).end();
}

function sendContent(hub: FakeHub, request: IncomingMessage, response: ServerResponse): void {
  const { content } = hub;
  const wanted = hub.ignoresRange ? null : /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
  const from = wanted === null ? 0 : Number(wanted[1]);
  response.setHeader('etag', '"storage"');
  if (from >= content.length) {
    response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
    return;
  }
  const body = content.subarray(from);
  response.setHeader('content-length', body.length);
  if (wanted !== null) {
    response.setHeader('content-range', `bytes ${from}-${content.length - 1}/${content.length}`);
  }
  response.writeHead(wanted === null ? 200 : 206);
  if (request.method === 'HEAD') return void response.end();
  const cut = hub.cuts.shift();
  if (cut === undefined) return void response.end(body);
  response.write(body.subarray(0, cut), () => response.socket?.end(() => response.destroy()));
}
