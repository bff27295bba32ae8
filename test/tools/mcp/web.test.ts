/** Servers over HTTP: a real one, and small ones that behave badly. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { connectServer } from '../../../src/tools/mcp/connect.ts';

const never = new AbortController().signal;
const OPTIONS = { name: 'web', version: '1', deadlineMs: 20_000, callMs: 10_000, signal: never };

const servers: Server[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function listen(
  onRequest: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    request.on('end', () => onRequest(request, response, body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** Held against a long text it takes for ever. */
const SLOW = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };

/** A server in a few lines. @param onCall what becomes of a call */
const answering =
  (onCall: (response: ServerResponse, id: number, request: IncomingMessage) => void) =>
  (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const { id, method, params } = request.method === 'POST' ? JSON.parse(body) : {};
    if (id === undefined) {
      response.writeHead(request.method === 'POST' ? 202 : 405).end();
      return;
    }
    if (method === 'tools/call') {
      onCall(response, id, request);
      return;
    }
    const result =
      method === 'initialize'
        ? {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          }
        : { tools: [{ name: 'do', inputSchema: { type: 'object' }, outputSchema: SLOW }] };
    json(response, { jsonrpc: '2.0', id, result });
  };

const json = (response: ServerResponse, value: unknown): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' })
    .end(JSON.stringify(value));

const done = (response: ServerResponse, id: number): void => {
  const structuredContent = { a: `${'a'.repeat(27)}!` };
  json(response, {
    ...{ jsonrpc: '2.0', id },
    result: { content: [{ type: 'text', text: 'done' }], structuredContent },
  });
};

async function everything(): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/package.json',
  );
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => resolve(free));
    });
  });
  const file = join(dirname(manifest), 'dist', 'index.js');
  const child = spawn(process.execPath, [file, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('it ended')));
    child.stderr?.on('data', (text) => {
      if (String(text).includes('listening')) resolve();
    });
  });
  return `http://127.0.0.1:${port}/mcp`;
}

test('the server of everything lists its tools, answers, and its session ends with ours', async () => {
  const url = await everything();
  const { tools, call, close } = await connectServer({ url }, OPTIONS);
  expect(tools.map(({ name }) => name)).toContain('echo');
  expect(await call('echo', { message: 'hi' }, never)).toMatchObject({
    status: 'ok',
    content: expect.stringContaining('hi'),
  });
  const image = tools.find(({ name }) => /image/i.test(name))?.name ?? '';
  expect((await call(image, {}, never)).content).toMatch(/\[image image\/png, \d+ bytes\]/);
  expect(await call('no-such-tool', {}, never)).toMatchObject({
    status: expect.stringMatching(/^(?:mcp_)?error$/),
  });
  children[0]?.kill('SIGKILL');
  await new Promise((resolve) => children[0]?.once('exit', resolve));
  expect(await call('echo', { message: 'again' }, never)).toMatchObject({
    status: 'connection_error',
    content: expect.stringContaining('unknown'),
  });
  await close();
});

describe('headers', () => {
  test('go with every request, and to no other host that it is sent on to', async () => {
    const seen: (string | undefined)[] = [];
    const stolen: (string | undefined)[] = [];
    const thief = await listen((request, response) => {
      stolen.push(request.headers.authorization);
      response.writeHead(500).end();
    });
    const url = await listen(
      answering((response, _id, request) => {
        seen.push(request.headers.authorization);
        response.writeHead(307, { location: thief }).end();
      }),
    );
    const headers = { Authorization: 'Bearer a-key-of-mine' };
    const { call, isOver, close } = await connectServer({ url, headers }, OPTIONS);
    const result = await call('do', {}, never);
    expect(seen).toEqual(['Bearer a-key-of-mine']);
    expect(stolen).toEqual([]);
    expect(result).toMatchObject({
      status: 'connection_error',
      content: expect.stringContaining('not followed'),
    });
    expect(isOver()).toBe(true);
    await close();
  });

  test('that are wanted and missing are said', async () => {
    const url = await listen((_request, response) => void response.writeHead(401).end('no'));
    await expect(connectServer({ url }, OPTIONS)).rejects.toThrow('401: it wants a key');
  });
});

describe('a server in trouble', () => {
  test('is not there: its system says why', async () => {
    const url = await listen(() => {});
    servers[0]?.close();
    await expect(connectServer({ url }, OPTIONS)).rejects.toThrow('ECONNREFUSED');
  });

  test('says nothing: the deadline ends it', async () => {
    const url = await listen(() => {});
    await expect(connectServer({ url }, { ...OPTIONS, deadlineMs: 50 })).rejects.toThrow(
      'did not answer in time',
    );
  });

  test('refuses a call, hangs, and answers what is none: each has its status', async () => {
    const replies: ((response: ServerResponse, id: number) => void)[] = [
      (response, id) =>
        json(response, { jsonrpc: '2.0', id, error: { code: -32602, message: 'wrong' } }),
      () => {},
      (response, id) => json(response, { jsonrpc: '2.0', id, result: { content: 'none' } }),
      (response, id) => done(response, id),
    ];
    const url = await listen(answering((response, id) => replies.shift()?.(response, id)));
    const { call, close } = await connectServer({ url }, { ...OPTIONS, callMs: 300 });
    expect(await call('do', {}, never)).toMatchObject({
      status: 'mcp_error',
      content: expect.stringContaining('wrong'),
    });
    expect(await call('do', {}, never)).toMatchObject({ status: 'timeout' });
    expect(await call('do', {}, never)).toMatchObject({ status: 'mcp_error' });
    expect(await call('do', {}, never)).toMatchObject({ status: 'ok', content: 'done' });
    await close();
  });

  test('breaks off in its answer: it is told at once, not when the time is over', async () => {
    const url = await listen(
      answering((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': wait\n\n', () => response.destroy());
      }),
    );
    const { call, close } = await connectServer({ url }, OPTIONS);
    expect(await call('do', {}, never)).toMatchObject({
      status: 'connection_error',
      content: expect.stringMatching(/broke off.*unknown/),
    });
    await close();
  });

  test('sends without end: it is cut off, and the memory stays ours', async () => {
    let isCut = false;
    const url = await listen(
      answering((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(1 << 20)));
        };
        response.on('drain', more).on('close', () => {
          isCut = true;
        });
        more();
      }),
    );
    const { call, close } = await connectServer({ url }, OPTIONS);
    expect(await call('do', {}, never)).toMatchObject({ status: 'connection_error' });
    await close();
    await expect.poll(() => isCut).toBe(true);
  });
});
