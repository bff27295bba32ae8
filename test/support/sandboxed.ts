/** Programs in a real sandbox, where this machine has one. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isSecretFile } from '../../src/languages/files/secret-files.ts';
import type { ProcessOutcome } from '../../src/processes/contract.ts';
import { type Machine, systemMachine } from '../../src/run/machine.ts';
import { chooseSandbox } from '../../src/run/tools/choose-sandbox.ts';
import { confinementOf } from '../../src/run/tools/confinement.ts';

/** Where it is not, only what needs none is tried: a test that is left out is named. */
export const hasSandbox =
  process.platform === 'linux' &&
  spawnSync('bwrap', [
    '--unshare-net',
    '--unshare-pid',
    '--ro-bind',
    '/',
    '/',
    '--proc',
    '/proc',
    'true',
  ]).status === 0;

export const machineWith = (env: NodeJS.ProcessEnv = process.env): Machine =>
  systemMachine({ env, nodePath: process.execPath });

export const lookIn = (workspace: string, machine = machineWith()) =>
  chooseSandbox({
    ...{ machine, workspace, sandbox: 'auto', sandboxAtLeast: 'off' },
    signal: new AbortController().signal,
  });

export interface Sandboxed {
  run(
    program: string,
    args: readonly string[],
    more?: {
      readonly timeoutMs?: number;
      readonly isUnsandboxed?: boolean;
      readonly stdin?: string;
      readonly cwd?: string;
      onSpawn?(pid: number, startTime: string): void;
      readonly signal?: AbortSignal;
    },
  ): Promise<ProcessOutcome>;
  readonly killTree: (pid: number) => Promise<void>;
}

/** @param workspace a real folder */
export async function sandboxedIn(workspace: string, machine = machineWith()): Promise<Sandboxed> {
  mkdirSync(join(workspace, '.agent_context'), { recursive: true });
  const found = await lookIn(workspace, machine);
  if (found.found?.kind !== 'holds') throw new Error(`no sandbox: ${JSON.stringify(found)}`);
  const plain = machine.processes(workspace, []);
  const sandbox = confinementOf(found, {
    ...{ machine, workspace },
    environment: plain.programs.environment,
    hides: isSecretFile,
  });
  const processes = machine.processes(workspace, [], sandbox);
  return {
    killTree: processes.killTree,
    run: async (program, args, more = {}) => {
      const place = await processes.programs.find(program);
      if (place.kind !== 'found') throw new Error(place.reason);
      const { onSpawn, signal = new AbortController().signal, ...bounds } = more;
      return processes.run(
        {
          ...{ file: place.file, args: [...place.prefix, ...args], cwd: workspace },
          ...{ env: processes.programs.environment(), timeoutMs: 30_000, maxOutputBytes: 100_000 },
          ...bounds,
        },
        { signal, onSpawn: onSpawn ?? (() => {}), onOutput: () => {} },
      );
    },
  };
}
