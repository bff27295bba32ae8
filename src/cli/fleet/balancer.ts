/** One address for several workers of this machine, in turn. Elsewhere a host name with several addresses does this. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  readonly port: number;
  close(): void;
}

/** @param ports of the live workers, asked for at each connection */
export async function startBalancer(ports: () => readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((socket) => {
    const all = ports();
    turn += 1;
    const port = all[turn % Math.max(1, all.length)];
    if (port === undefined) return void socket.destroy();
    const worker = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [socket, worker],
      [worker, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
