/** A server of Temporal on this machine, with a database of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

export interface TemporalServer {
  readonly address: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Again, with the same database. */
  start(): Promise<void>;
  /** Whether a text is anywhere in the database. */
  keeps(text: string): Promise<boolean>;
}

const START_MS = 60_000;
const LOOK_MS = 50;

/** @param folder absolute, for what it keeps */
export async function startTemporalServer(
  program: string,
  folder: string,
): Promise<TemporalServer> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const words = [String(port), join(folder, 'temporal.db')];
    const started = spawn(program, words, { stdio: 'ignore' });
    child = started;
    for (let waited = 0; waited < START_MS; waited += LOOK_MS) {
      if (await listens(port)) return;
      if (started.exitCode !== null) break;
      await after(LOOK_MS);
    }
    throw new Error('the server of Temporal did not come up');
  };
  await start();
  return {
    address: `temporal://127.0.0.1:${port}`,
    start,
    kill: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    keeps: async (text) =>
      readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text)),
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
