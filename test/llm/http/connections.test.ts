import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { streamedBody } from '../../../src/llm/anthropic/http-fetch.ts';
import {
  type Connections,
  createConnections,
  type HttpCall,
  headersOf,
  readText,
} from '../../../src/llm/http/connections.ts';
import { retryAfterMs } from '../../../src/llm/http/retry-after.ts';

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function serve(listener: RequestListener): Promise<{ server: Server; url: URL }> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  open.push({ close });
  return { server, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`) };
}

function connections(): Connections {
  const made = createConnections();
  open.push(made);
  return made;
}

const call = (url: URL, more: Partial<HttpCall> = {}): HttpCall => ({
  ...{ url, headers: {}, body: null, signal: null },
  ...more,
});

describe('a request', () => {
  it('is a POST with a length where it has a body, a GET without one', async () => {
    const seen: unknown[] = [];
    const { url } = await serve((request, response) => {
      const { method, headers } = request;
      seen.push([method, headers['content-length'], headers['x-own']]);
      request.resume().on('end', () => response.end('né'));
    });
    const { send } = connections();
    expect(await readText(await send(call(url, { headers: { 'x-own': 'yes' } })))).toBe('né');
    await readText(await send(call(url, { body: 'é' })));
    expect(seen).toEqual([
      ['GET', undefined, 'yes'],
      ['POST', '2', undefined],
    ]);
  });

  it('goes over a new connection when the kept one was closed meanwhile, and only then', async () => {
    let asked = 0;
    const { url } = await serve((request, response) => {
      asked += 1;
      if (asked === 2 || asked > 3) request.socket.destroy();
      else response.end(String(asked));
    });
    const { send } = connections();
    expect(await readText(await send(call(url)))).toBe('1');
    expect(await readText(await send(call(url, { body: 'again' })))).toBe('3');
    const other = connections();
    await expect(other.send(call(url))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(asked).toBe(4);
  });

  it('resolves with the head whatever the status, a repeated header by its first value', async () => {
    const { url } = await serve((_, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']).writeHead(503, { 'retry-after': '3' }).end();
    });
    const answer = await connections().send(call(url));
    const header = headersOf(answer);
    expect([answer.statusCode, header('set-cookie'), header('x-none')]).toEqual([503, 'a=1', null]);
    expect(retryAfterMs(header)).toBe(3000);
  });

  it('keeps its connection for the next one, which a closed pool does not', async () => {
    let sockets = 0;
    const { server, url } = await serve((_, response) => void response.end('whole'));
    server.on('connection', () => {
      sockets += 1;
    });
    const { send, close } = connections();
    for (let n = 0; n < 3; n += 1) await readText(await send(call(url)));
    expect(sockets).toBe(1);
    close();
    await readText(await send(call(url)));
    expect(sockets).toBe(2);
  });
});

describe('an abort', () => {
  it('closes the connection at once, before the headers', async () => {
    const { server, url } = await serve(() => undefined);
    const stop = new AbortController();
    const asked = connections().send(call(url, { signal: stop.signal }));
    const [, response] = await once(server, 'request');
    stop.abort();
    await expect(asked).rejects.toMatchObject({ code: 'ECONNRESET' });
    await once(response, 'close');
  });

  it('closes the connection at once, in the middle of the body', async () => {
    const { server, url } = await serve((_, response) => void response.write('half'));
    const stop = new AbortController();
    const heard = once(server, 'request');
    const answer = await connections().send(call(url, { signal: stop.signal }));
    const [, response] = await heard;
    const read = readText(answer);
    stop.abort();
    await expect(read).rejects.toMatchObject({ code: 'ECONNRESET' });
    await once(response, 'close');
  });

  it('before it began sends nothing', async () => {
    let requests = 0;
    const { url } = await serve(() => {
      requests += 1;
    });
    const asked = connections().send(call(url, { signal: AbortSignal.abort() }));
    await expect(asked).rejects.toThrow();
    expect(requests).toBe(0);
  });
});

describe('the body that an SDK reads', () => {
  it('lets go of a whole answer that is given up, and the connection serves the next', async () => {
    let sockets = 0;
    const { server, url } = await serve((_, response) => void response.end('all of it'));
    server.on('connection', () => {
      sockets += 1;
    });
    const { send } = connections();
    for (let n = 0; n < 3; n += 1) {
      const answer = await send(call(url));
      while (!answer.complete) await new Promise(setImmediate);
      const reader = streamedBody(answer).getReader();
      expect((await reader.read()).done).toBe(false);
      await reader.cancel();
      if (!answer.closed) await once(answer, 'close');
    }
    expect(sockets).toBe(1);
  });

  it('closes the connection of half an answer that is given up', async () => {
    const { server, url } = await serve((_, response) => void response.write('half'));
    const heard = once(server, 'request');
    const reader = streamedBody(await connections().send(call(url))).getReader();
    const [, response] = await heard;
    await reader.read();
    await reader.cancel();
    await once(response, 'close');
  });
});

describe('how long a server asks to wait', () => {
  it.each([
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '-1' }, null],
    [{ 'retry-after': '1e306' }, 31_536_000_000],
    [{ 'retry-after-ms': '1e306' }, 31_536_000_000],
    [{ 'retry-after': '' }, null],
    [{ 'retry-after': 'Sun, 22 Nov 2026 10:00:30 GMT' }, null],
    [
      {
        'retry-after': 'Sun, 22 Nov 2026 10:00:30 GMT',
        date: 'Sun, 22 Nov 2026 10:00:00 GMT',
      },
      30_000,
    ],
    [
      {
        'retry-after': 'Sun, 22 Nov 2026 10:00:00 GMT',
        date: 'Sun, 22 Nov 2026 10:00:30 GMT',
      },
      0,
    ],
  ])('%j is %s ms', (headers: Record<string, string>, ms) => {
    expect(retryAfterMs((name) => headers[name] ?? null)).toBe(ms);
  });
});
