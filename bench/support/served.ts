/** The built `agent serve` with a client of it, and what its process takes. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Client, connect } from '../../src/server/client/client.ts';
import type { Lab } from '../measurement.ts';
import { Skipped } from '../measurement.ts';
import { builtAgent, ownFolders } from './children.ts';

export interface ServedForBench {
  readonly pid: number;
  /** The processes of its runs. */
  runs(): readonly number[];
  /** With the server's own token, which no limit counts. */
  readonly client: Client;
  /** Milliseconds that its loop was late, the slowest hundredth since this was asked last. */
  loopDelay(): Promise<number>;
  /** Where it may work, and below. */
  readonly root: string;
  end(): Promise<void>;
}

export async function served(
  lab: Lab,
  { model = '', root = lab.folder(), words = [] as readonly string[] } = {},
): Promise<ServedForBench> {
  const data = lab.folder();
  const delays = join(data, 'loop-delay');
  const preloaded = resolve('bench/support/loop-delay.cjs');
  const args = [
    ...['--require', preloaded, builtAgent()],
    ...['serve', '--port', '0', '--root', root, ...words],
  ];
  const child = spawn(process.execPath, args, {
    ...{ cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
    env: { ...ownFolders(data), OLLAMA_HOST: model, TARDIGRADE_BENCH_LOOP: delays },
  });
  const link = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(String(text).trim()));
    child.once('exit', (code) => reject(new Error(`agent serve ended with ${code}`)));
  });
  const { origin: url, port } = new URL(link);
  const note = readFileSync(join(data, 'tardigrade-agent', 'serve', `at-${port}.json`), 'utf8');
  const runs = (): readonly number[] => processesWith(join(data, 'tardigrade-agent', 'serve'));
  const client = await connect({ url, token: JSON.parse(note).token });
  return {
    ...{ pid: child.pid ?? 0, runs, client, root },
    loopDelay: async () => {
      rmSync(delays, { force: true });
      child.kill('SIGUSR2');
      while (!existsSync(delays) || readFileSync(delays).length === 0)
        await new Promise((again) => setTimeout(again, 20));
      return Number(readFileSync(delays, 'utf8'));
    },
    end: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      // They go on without it.
      for (const one of runs()) process.kill(one, 'SIGKILL');
      while (runs().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}

const TICKS_A_SECOND = 100;

/** Milliseconds of the processor that a process has taken. */
export function cpuMsOf(pid: number): number {
  const fields = statOf(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_A_SECOND;
}

/** Resident megabytes of it. */
export const rssMbOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(statOf(pid, 'status'))?.[1] ?? 0) / 1024;

/** Processes whose command line holds a word. */
const processesWith = (word: string): readonly number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && statOf(pid, 'cmdline').includes(word));

function statOf(pid: number, what: string): string {
  if (process.platform !== 'linux') throw new Skipped('it looks into /proc');
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
}
