/** What the inspection of a file needs, and what it finds: the types that this room shares. */
import type { Processes } from '../../processes/contract.ts';

export interface InspectionDeps {
  /** Absolute real path of the workspace. */
  readonly workspace: string;
  /** The text of a file in the workspace, `null` if there is none. Never throws. */
  readText(path: string): string | null;
  /** True for files and folders inside the workspace. Never throws. */
  exists(path: string): boolean;
  readonly processes: Pick<Processes, 'run'>;
  /** Absolute path of a working program, `null` if there is none. Never throws. */
  program(name: string): Promise<string | null>;
  /** Absolute path of the Node that runs this program; `null`: there is no separate Node. */
  readonly runtime: string | null;
  /** Environment of the checkers; the same cleaned one that commands get. */
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
}

/** The findings of one language's checker. */
export interface Inspection {
  readonly problems: readonly string[];
  /** Public functions and classes by name; `add()` can be called. */
  readonly defines: readonly string[];
  /** The questions that the program itself asks on stdin, one entry each, '' if it prints none. */
  readonly prompts: readonly string[];
  /** Whether the language's own checker accepted the text; null: it was not asked. */
  readonly parses: boolean | null;
}

export const NOTHING_OFFERED: Pick<Inspection, 'defines' | 'prompts'> = {
  defines: [],
  prompts: [],
};

/** Runs a checker with its limits; `null` if it gave no answer. */
export async function runChecker(
  file: string,
  args: readonly string[],
  stdin: string,
  deps: InspectionDeps,
): Promise<{ readonly exitCode: number; readonly output: string } | null> {
  const outcome = await deps.processes.run(
    {
      file,
      args,
      cwd: deps.workspace,
      env: deps.env,
      stdin,
      timeoutMs: 15_000,
      maxOutputBytes: 200_000,
    },
    { signal: deps.signal, onOutput: () => {} },
  );
  const { kind, exitCode, output } = outcome;
  return kind === 'exited' && exitCode !== null ? { exitCode, output } : null;
}
