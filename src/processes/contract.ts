import type { ProcessPlace } from '../schema/actions.ts';

/** One program run without a shell. */
export interface ProcessRequest {
  /** Absolute path of the program, and its arguments, already resolved. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child; nothing is inherited. */
  readonly env: { readonly [name: string]: string };
  /** Written to the child's stdin, which is then closed; without it stdin is closed at once. */
  readonly stdin?: string;
  readonly timeoutMs: number;
  /** How many bytes of output are kept from the start and the end together. */
  readonly maxOutputBytes: number;
  /** The same limit for stdout and stderr individually; left out: they are not kept separately. */
  readonly maxStreamBytes?: number;
  /** True starts it outside the sandbox, if there is one. */
  readonly isUnsandboxed?: boolean;
  /** The program that `file` starts; left out: `file` is the program itself. */
  readonly program?: string;
}

export interface ProcessOutcome {
  readonly kind: 'exited' | 'timeout' | 'cancelled' | 'spawn_failed';
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** stdout and stderr interleaved as they arrived, UTF-8, cut in the middle if too long. */
  readonly output: string;
  readonly truncatedBytes: number;
  /** Each stream individually, cut in the middle like `output`; left out if nothing was read. */
  readonly streams?: { readonly stdout: StreamText; readonly stderr: StreamText };
  readonly durationMs: number;
  /** For a timeout: the program was listening for connections, so it did not fail. */
  readonly isServing?: true;
  /** Why the program could not be started. */
  readonly error?: string;
  /** For a sandboxed program: files that appeared during its run and were moved away. */
  readonly sandbox?: { readonly putAside: readonly string[] };
  /** Names of daemons that it left outside its tree, and what became of them. */
  readonly daemons?: MarkedEnd;
}

/** Daemons of a command, and what became of them. */
export interface MarkedEnd {
  /** Names of programs, each once. */
  readonly ended: readonly string[];
  /** Daemons that could not be ended. */
  readonly left: readonly string[];
}

export interface StreamText {
  readonly text: string;
  readonly leftOutBytes: number;
}

export interface ProcessHooks {
  readonly signal: AbortSignal;
  /**
   * Called once, synchronously with the spawn, with the child's identity for the journal. If the place is
   * gated, the program begins when this has returned, and never if it throws or aborts.
   */
  onSpawn?(pid: number, startTime: string): void;
  onOutput(text: string): void;
}

/** A process as its start was recorded; on POSIX its group has the same number. */
export interface StartedProcess {
  readonly pid: number;
  readonly startTime: string;
}

/**
 * What is left of a program that an earlier process started. `may_run`: it is unknown, or what the program
 * itself had started cannot be found.
 */
export type Leftover = 'none' | 'ended' | 'still_running' | 'may_run';

/** The only way in which this program starts another one. */
export interface Processes {
  readonly platform: NodeJS.Platform;
  /** The place where programs are started: host, boot and namespace. */
  readonly place: ProcessPlace;
  run(request: ProcessRequest, hooks: ProcessHooks): Promise<ProcessOutcome>;
  /** Absolute path of a program from the cleaned PATH; `null` if there is none. */
  resolve(program: string): string | null;
  /** Start time of a live process in the system's own unit; `null` if it is gone or a zombie. */
  startTime(pid: number): string | null;
  /** Ends a process and everything below it; resolves when they are gone, or after 5 s. */
  killTree(pid: number): Promise<void>;
  /**
   * Ends what is still alive of a program.
   * @param started `null`: no start was recorded
   * @param place where it was started; `undefined`: an older version did not record it
   */
  endLeftover(started: StartedProcess | null, place: ProcessPlace | undefined): Promise<Leftover>;
  /**
   * Ends daemons that commands left outside their trees, at the end of the run; left out: they cannot be found
   * here.
   */
  endDaemons?(): Promise<MarkedEnd>;
}
