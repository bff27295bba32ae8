/** Whom a certificate names, over a real TLS server on this machine with an authority of the test's own. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';

const fixture = (name: string): string => resolve('test/fixtures/tls', name);
const asked: (string | undefined)[] = [];
const server = createServer(
  { key: readFileSync(fixture('server.key.pem')), cert: readFileSync(fixture('server.pem')) },
  ({ headers }, response) => {
    asked.push(headers.host?.replace(/:\d+$/, ''));
    response.end('the page');
  },
);
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What comes of each name; all of them lead to the server. @param authorities the file of those that are trusted beside the usual ones */
async function fetched(
  { authorities, proxy = '' }: { readonly authorities: string; readonly proxy?: string },
  ...names: string[]
): Promise<readonly string[]> {
  const { port } = server.address() as AddressInfo;
  const script = ['scripts/run.mjs', 'test/tools/web/tls-main.ts', String(port), proxy, ...names];
  const env = { NODE_EXTRA_CA_CERTS: authorities };
  const { stdout, stderr } = await execa(process.execPath, script, { env });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const OURS = { authorities: fixture('ca.pem') };

test('the certificate must name the host of the address, wherever that led to', async () => {
  asked.length = 0;
  expect(await fetched(OURS, 'page.test', 'other.test', '127.0.0.1')).toEqual([
    '200 the page',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ]);
  // The others were refused before anything was asked for.
  expect(asked).toEqual(['page.test']);
});

test('and it must be signed by somebody who is trusted', async () => {
  asked.length = 0;
  expect(await fetched({ authorities: '' }, 'page.test')).toEqual([
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ]);
  expect(asked).toEqual([]);
});

test('behind a proxy all of it goes through its tunnel, where nobody here knows the name', async () => {
  asked.length = 0;
  const wanted: (string | undefined)[] = [];
  const tunnel = createProxy().on('connect', (request, socket) => {
    wanted.push(request.url?.replace(/:\d+$/, ''));
    const { port } = server.address() as AddressInfo;
    const there = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(there).pipe(socket);
    });
    there.on('error', () => {});
    socket.on('error', () => {});
  });
  tunnel.listen(0, '127.0.0.1');
  await once(tunnel, 'listening');
  const proxy = `http://127.0.0.1:${(tunnel.address() as AddressInfo).port}`;
  const names = ['page.test', 'other.test', '127.0.0.1', '[::1]'];
  expect(await fetched({ ...OURS, proxy }, ...names)).toEqual([
    '200 the page',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ]);
  expect([wanted, asked]).toEqual([names, ['page.test']]);
  tunnel.close();
});
