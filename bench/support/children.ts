import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Skipped } from '../measurement.ts';

/** The built program; measurements of it are skipped where it was not built. */
export function builtAgent(): string {
  const path = resolve('dist/bin.cjs');
  if (!existsSync(path)) throw new Skipped('dist/bin.cjs is not built');
  return path;
}

/** Milliseconds from the start of `node args…` to its end. Throws when it fails. */
export async function timeNode(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const code = await new Promise((end) => child.once('close', end));
  const elapsed = performance.now() - started;
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}: ${complaint}`);
  return elapsed;
}

/** Nothing of the user's own is read, and nothing is left with it. */
export const ownFolders = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  XDG_CACHE_HOME: folder,
  XDG_DATA_HOME: folder,
  XDG_CONFIG_HOME: folder,
  LOCALAPPDATA: folder,
  APPDATA: folder,
});

export interface StartedNode {
  readonly started: number;
  /** When the first of its output came. Rejects when it ends without. */
  readonly firstOutput: Promise<number>;
  readonly ended: Promise<unknown>;
  end(signal: NodeJS.Signals): void;
}

export function startNode(args: readonly string[], env: NodeJS.ProcessEnv): StartedNode {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const ended = new Promise((end) => child.once('close', end));
  const firstOutput = new Promise<number>((resolve, reject) => {
    child.stdout.once('data', () => resolve(performance.now()));
    void ended.then(() => reject(new Error(`it said nothing: ${complaint}`)));
  });
  return { started, firstOutput, ended, end: (signal) => void child.kill(signal) };
}
