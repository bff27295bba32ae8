/** Whom a certificate names, over a real TLS server on this machine with an authority of the test's own. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
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
async function fetched(authorities: string, ...names: string[]): Promise<readonly string[]> {
  const { port } = server.address() as AddressInfo;
  const script = ['scripts/run.mjs', 'test/tools/web/tls-main.ts', String(port), ...names];
  const env = { NODE_EXTRA_CA_CERTS: authorities };
  const { stdout } = await execa(process.execPath, script, { env });
  return JSON.parse(stdout);
}

test('the certificate must name the host of the address, wherever that led to', async () => {
  asked.length = 0;
  expect(await fetched(fixture('ca.pem'), 'page.test', 'other.test', '127.0.0.1')).toEqual([
    '200 the page',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ]);
  // The others were refused before anything was asked for.
  expect(asked).toEqual(['page.test']);
});

test('and it must be signed by somebody who is trusted', async () => {
  asked.length = 0;
  expect(await fetched('', 'page.test')).toEqual(['UNABLE_TO_VERIFY_LEAF_SIGNATURE']);
  expect(asked).toEqual([]);
});
