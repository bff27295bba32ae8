/** What servers and proxies may answer with: each fetch ends, with an error or with what there was. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { getPage } from '../../../src/tools/web/get-page.ts';
import { systemWeb } from '../../../src/tools/web/system-web.ts';

/** A server that does this with each connection, once something was asked. */
async function listening(answer: (socket: Socket) => void): Promise<number> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The status with the body, or the error. */
const got = (address: string, proxy: string | null = null): Promise<string> =>
  getPage(
    new URL(address),
    {
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
      isSpecial: () => false,
      proxyFor: () => (proxy === null ? null : new URL(proxy)),
    },
    { signal: AbortSignal.timeout(20_000), userAgent: 'test' },
  ).then(
    ({ status, body, isCut }) => `${status} ${body.toString('latin1')}${isCut ? '…' : ''}`,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );

const OK = 'HTTP/1.1 200 OK\r\n';

test.each([
  [
    'another protocol',
    'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    /^The server went over/,
  ],
  ['no answer', '', /^ECONNRESET$/],
  ['no headers', '<html>hi', /^HPE_INVALID_CONSTANT$/],
  ['a status of its own', 'HTTP/1.1 999 X\r\nContent-Length: 2\r\n\r\nhi', /^999 hi$/],
  ['a negative length', `${OK}Content-Length: -5\r\n\r\nabc`, /^HPE_INVALID_CONTENT_LENGTH$/],
  ['a length beyond all numbers', `${OK}Content-Length: ${'9'.repeat(30)}\r\n\r\nabc`, /^HPE_/],
  ['two lengths', `${OK}Content-Length: 1\r\nContent-Length: 3\r\n\r\nabc`, /^HPE_/],
  ['less than it said', `${OK}Content-Length: 10\r\n\r\nabc`, /^ECONNRESET$/],
  [
    'a chunk beyond all numbers',
    `${OK}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nabc`,
    /^ECONNRESET$/,
  ],
  ['line ends without returns', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi', /^HPE_/],
  [
    'what is not compressed',
    `${OK}Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\njunk`,
    /^Z_DATA_ERROR$/,
  ],
  [
    'a compression named like an object',
    `${OK}Content-Encoding: __proto__\r\n\r\nx`,
    /^The server compressed/,
  ],
  ['no length and no end', `${OK}\r\n${'x'.repeat(3_000_000)}`, /^200 x+…$/],
])('a server that answers with %s', async (_what, answer, expected) => {
  const port = await listening((socket) => socket.end(answer));
  expect(await got(`http://page.test:${port}/`)).toMatch(expected);
});

test.each([
  [
    'resets the tunnel that it opened',
    (one: Socket) => one.write(`${OK}\r\n`, () => one.resetAndDestroy()),
  ],
  ['closes it', (one: Socket) => one.end(`${OK}\r\n`)],
  ['answers in it by itself', (one: Socket) => one.end(`${OK}\r\n${'junk'.repeat(100)}`)],
])('a proxy that %s', async (_what, answer) => {
  const proxy = `http://127.0.0.1:${await listening(answer)}`;
  expect(await got('https://page.test/', proxy)).toMatch(/^(?:ECONNRESET|EPROTO|ERR_SSL_\w+)$/);
});

test.each([
  ['HTTP/1.1 407 X\r\nContent-Length: 0\r\n\r\n', 'The proxy refused the connection (407).'],
  ['HTTP/1.1 302 X\r\nLocation: http://a.test/\r\n\r\n', 'The proxy refused the connection (302).'],
  ['junk', 'HPE_INVALID_CONSTANT'],
  ['', 'ECONNRESET'],
])('a proxy that opens no tunnel: %j', async (answer, expected) => {
  const proxy = `http://127.0.0.1:${await listening((one) => one.end(answer))}`;
  expect(await got('https://page.test/', proxy)).toBe(expected);
});

test.each([
  [{}, 'https://a.test/', null],
  [{ https_proxy: 'p:8080' }, 'https://a.test/', 'http://p:8080/'],
  [{ HTTPS_PROXY: 'http://u:50%off@p' }, 'https://a.test/', 'http://u:50%off@p/'],
  [{ https_proxy: ' ', all_proxy: 'p' }, 'https://a.test/', 'http://p/'],
  // Whoever names a proxy does not want to be seen without one.
  [{ http_proxy: 'http://p:99999' }, 'http://a.test/', 'unreadable'],
  [{ http_proxy: '::::' }, 'http://a.test/', 'unreadable'],
  [{ all_proxy: 'p', no_proxy: 'A.test' }, 'http://www.a.test/', null],
  [{ all_proxy: 'p', no_proxy: 'a.test:443, b.test' }, 'https://a.test/', null],
  [{ all_proxy: 'p', no_proxy: 'a.test:80' }, 'https://a.test/', 'http://p/'],
  [{ all_proxy: 'p', no_proxy: '::1' }, 'https://[::1]/', null],
  [{ all_proxy: 'p', no_proxy: 'test.a' }, 'https://nottest.a/', 'http://p/'],
  [{ all_proxy: 'p', no_proxy: '*' }, 'https://a.test/', null],
])('the proxy that %j names for %s', (environment, address, expected) => {
  const proxy = systemWeb(environment).proxyFor(new URL(address));
  expect(proxy === null ? null : String(proxy)).toBe(expected);
});
