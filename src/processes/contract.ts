import type { ProcessPlace } from '../schema/actions.ts';

/** One program run without a shell. */
export interface ProcessRequest {
  /** Absolute path of the program and its arguments, already resolved. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child; nothing is inherited. */
  readonly env: { readonly [name: string]: string };
  /** Fed to the child and closed; without it stdin is closed at once. */
  readonly stdin?: string;
  readonly timeoutMs: number;
  /** Bytes of output kept from the start and from the end, together. */
  readonly maxOutputBytes: number;
  /** The same for stdout and stderr each by itself; left out: they are not kept apart. */
  readonly maxStreamBytes?: number;
  /** True lets it out of the sandbox, where there is one. */
  readonly isUnsandboxed?: boolean;
  /** The program that `file` starts in its turn; left out: `file` is the program itself. */
  readonly program?: string;
}

export interface ProcessOutcome {
  readonly kind: 'exited' | 'timeout' | 'cancelled' | 'spawn_failed';
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** stdout and stderr interleaved as they came, UTF-8, cut in the middle when too long. */
  readonly output: string;
  readonly truncatedBytes: number;
  /** Each of the two by itself, cut in the middle like `output`; left out where nothing was read. */
  readonly streams?: { readonly stdout: StreamText; readonly stderr: StreamText };
  readonly durationMs: number;
  /** Of one that ran out of time: it waited for connections, so it did not fail. */
  readonly isServing?: true;
  /** Why the program could not be started. */
  readonly error?: string;
  /** Of one that was run in a sandbox: names of what it had made and was put aside. */
  readonly sandbox?: { readonly putAside: readonly string[] };
  /** Names of what it had left running outside of its tree, and what became of that. */
  readonly daemons?: MarkedEnd;
}

/** Daemons of a command, and what became of them. */
export interface MarkedEnd {
  /** Names of programs, each once. */
  readonly ended: readonly string[];
  /** What could not be ended. */
  readonly left: readonly string[];
}

export interface StreamText {
  readonly text: string;
  readonly leftOutBytes: number;
}

export interface ProcessHooks {
  readonly signal: AbortSignal;
  /**
   * Called once, in the tick of the spawn, with the child's identity for the journal. Where the place
   * is gated, the program begins when this has returned; if it throws or aborts, it never does.
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
 * What is left of a program that an earlier process started. `may_run`: nobody can tell, or nothing
 * leads to what it had started itself.
 */
export type Leftover = 'none' | 'ended' | 'still_running' | 'may_run';

/** The only way this program starts another one. */
export interface Processes {
  readonly platform: NodeJS.Platform;
  /** Where it starts them. */
  readonly place: ProcessPlace;
  run(request: ProcessRequest, hooks: ProcessHooks): Promise<ProcessOutcome>;
  /** Absolute path of a program, looked up in the cleaned PATH; `null` when there is none. */
  resolve(program: string): string | null;
  /** Start time of a live process in the system's own unit, `null` when it is gone or a zombie. */
  startTime(pid: number): string | null;
  /** Ends a process and everything below it; resolves when they are gone or after 5 s. */
  killTree(pid: number): Promise<void>;
  /**
   * Ends what still lives of a program.
   * @param started `null`: no start was recorded
   * @param place where it was started; `undefined`: an older version did not record it
   */
  endLeftover(started: StartedProcess | null, place: ProcessPlace | undefined): Promise<Leftover>;
  /** Ends what commands have left running outside of their trees, at the end; left out: nobody finds it. */
  endDaemons?(): Promise<MarkedEnd>;
}
