import type { Processes, ProcessOutcome } from '../contract.ts';
import { folderToAskIn } from './search-path.ts';

const TIMEOUT_MS = 10_000;

/** Asks a program for its version where it lies. */
export const askVersion = (
  { platform, run }: Pick<Processes, 'platform' | 'run'>,
  { file, prefix }: { readonly file: string; readonly prefix: readonly string[] },
  env: { readonly [name: string]: string },
  signal: AbortSignal = new AbortController().signal,
): Promise<ProcessOutcome> =>
  run(
    {
      file,
      args: [...prefix, '--version'],
      cwd: folderToAskIn(file, platform),
      env,
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: 4096,
    },
    { signal, onOutput: () => {} },
  );
