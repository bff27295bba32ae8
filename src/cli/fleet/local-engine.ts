/** A Restate server on this machine, for the demo and for tests. It lives as long as the process that started it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { TardigradeError } from '../../lib/errors.ts';

export interface LocalEngine {
  /** The address of its ingress. */
  readonly address: string;
  /** The address of its admin API. */
  readonly admin: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
  register(worker: string): Promise<void>;
}

const START_MS = 30_000;
const LOOK_MS = 50;

/** @param folder absolute, for its state */
export async function startLocalEngine(program: string, folder: string): Promise<LocalEngine> {
  const [ingress, admin, node] = await freePorts(3);
  const env = {
    ...process.env,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_INGRESS__BIND_PORT: String(ingress),
    RESTATE_ADMIN__BIND_PORT: String(admin),
    // A dead worker is detected quickly.
    RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: '1s',
    RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: '3s',
    // Keeps one worker from getting all slices of a connection.
    RESTATE_WORKER__INVOKER__HTTP2_STREAMS_PER_CONNECTION_LIMIT: '4',
    RESTATE_DEFAULT_NUM_PARTITIONS: '4',
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256 MiB',
  };
  const words = ['--base-dir', folder, '--listen-mode', 'tcp', '--no-logo'];
  const where = ['--bind-ip', '127.0.0.1', '--bind-port', String(node)];
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    child = spawn(program, [...words, ...where], { env, stdio: 'ignore' });
    child.on('error', () => {});
    await untilThere(`http://127.0.0.1:${admin}/health`);
    await untilThere(`http://127.0.0.1:${ingress}/restate/health`);
  };
  await start();
  return {
    address: `http://127.0.0.1:${ingress}`,
    admin: `http://127.0.0.1:${admin}`,
    start,
    kill: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    register: async (uri) => {
      const body = JSON.stringify({ uri, force: true });
      let why = '';
      for (let waited = 0; waited < START_MS; waited += LOOK_MS) {
        const answer = await fetch(`http://127.0.0.1:${admin}/deployments`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        if (answer.ok) return;
        // The server is not ready yet.
        why = await answer.text();
        await after(LOOK_MS);
      }
      throw failed(`it took no worker: ${why}`);
    },
  };
}

async function untilThere(url: string): Promise<void> {
  for (let waited = 0; waited < START_MS; waited += LOOK_MS) {
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await after(LOOK_MS);
  }
  throw failed('it did not come up');
}

const failed = (why: string): TardigradeError =>
  new TardigradeError('E_PROVIDER', `The Restate server cannot be used: ${why}.`, 'Try again.');

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    }),
  );
  for (const server of servers) server.close();
  return ports;
}
