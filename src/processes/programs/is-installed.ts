import type { SystemProcesses } from '../system-processes.ts';
import { askVersion } from './ask-version.ts';

/**
 * Whether a program is installed, according to the command resolver. A program that runs through another one
 * (`python -m ruff`) is asked for its version, because the other's presence proves nothing.
 */
export const isInstalledOn =
  (processes: SystemProcesses, signal: AbortSignal) =>
  async (program: string): Promise<boolean> => {
    const found = await processes.programs.find(program);
    // The reason for a refusal is given when the program is to run.
    if (found.kind !== 'found') return found.kind === 'refused';
    // A version query that would need a program of the workspace is not made.
    const beside = await processes.outside.find(program);
    if (found.prefix.length === 0 || beside.kind !== 'found') return true;
    const { kind, exitCode } = await askVersion(
      processes,
      beside,
      processes.outside.environment(),
      signal,
    );
    // A program that takes too long to answer exists.
    return kind !== 'exited' || exitCode === 0;
  };
