/** Serves the slices of this machine to a Restate server, which connects to it over HTTP/2. */
import { once } from 'node:events';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Slices } from '../contract.ts';
import type { Sdk } from './sdk.ts';
import { serviceOf } from './service.ts';

export interface RestateWorker {
  readonly port: number;
  /** Ends its connections: slices in progress are tried again elsewhere. */
  close(): void;
}

export async function startRestateWorker(
  sdk: Sdk,
  slices: Slices,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<RestateWorker> {
  const handler = sdk
    .endpoint()
    .bind(serviceOf(sdk, slices))
    .setLogger(() => {})
    .http2Handler();
  const server = createServer(handler as Parameters<typeof createServer>[1]);
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}
