/** What inspecting a file needs, and what it finds: the types the room shares. */
import type { Processes } from '../../processes/contract.ts';

export interface InspectionDeps {
  /** Absolute real path of the workspace. */
  readonly workspace: string;
  /** Text of a file in the workspace, `null` where there is none. Never throws. */
  readText(path: string): string | null;
  /** True for files and folders inside the workspace. Never throws. */
  exists(path: string): boolean;
  readonly processes: Pick<Processes, 'run'>;
  /** Absolute path of a program that works, `null` where there is none. Never throws. */
  program(name: string): Promise<string | null>;
  /** Absolute path of the Node that runs this program; `null`: it has none beside itself. */
  readonly runtime: string | null;
  /** Environment of the checkers; the same cleaned one that commands get. */
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
}

/** What the checker of one language finds. */
export interface Inspection {
  readonly problems: readonly string[];
  /** Public functions and classes, the signature as it is called: `add(a, b)`. */
  readonly defines: readonly string[];
  /** What the program itself asks on stdin, one entry a question, '' where it says nothing. */
  readonly prompts: readonly string[];
  /** True when the language's own checker accepted the text, false when not, null: not asked. */
  readonly parses: boolean | null;
}

export const NOTHING_OFFERED: Pick<Inspection, 'defines' | 'prompts'> = {
  defines: [],
  prompts: [],
};

/** One checker run with its bounds; `null` when it could not give an answer. */
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
