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
