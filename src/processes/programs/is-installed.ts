import type { SystemProcesses } from '../system-processes.ts';
import { folderToAskIn } from './search-path.ts';

const TIMEOUT_MS = 10_000;

/**
 * Whether a program is on this machine, by the resolver of commands. One that only another program
 * runs (`python -m ruff`) is asked for its version: that the other is there says nothing of it.
 */
export const isInstalledOn =
  (processes: SystemProcesses, signal: AbortSignal) =>
  async (program: string): Promise<boolean> => {
    const found = await processes.programs.find(program);
    // Why one is refused is said when it is to be run.
    if (found.kind !== 'found') return found.kind === 'refused';
    // What only a program of the workspace could tell is not asked.
    const beside = await processes.outside.find(program);
    if (found.prefix.length === 0 || beside.kind !== 'found') return true;
    const { kind, exitCode } = await processes.run(
      {
        ...{ file: beside.file, args: [...beside.prefix, '--version'] },
        cwd: folderToAskIn(beside.file, processes.platform),
        ...{ env: processes.outside.environment(), timeoutMs: TIMEOUT_MS, maxOutputBytes: 4096 },
      },
      { signal, onOutput: () => {} },
    );
    // What takes too long is there.
    return kind !== 'exited' || exitCode === 0;
  };
