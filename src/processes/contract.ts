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
}

export interface ProcessOutcome {
  readonly kind: 'exited' | 'timeout' | 'cancelled' | 'spawn_failed';
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** stdout and stderr interleaved as they came, UTF-8, cut in the middle when too long. */
  readonly output: string;
  readonly truncatedBytes: number;
  readonly durationMs: number;
  /** Of one that ran out of time: it waited for connections, so it did not fail. */
  readonly isServing?: true;
  /** Why the program could not be started. */
  readonly error?: string;
}

export interface ProcessHooks {
  readonly signal: AbortSignal;
  /** Called once, before the child can have done much: its identity for the journal. */
  onSpawn(pid: number, startTime: string): void;
  onOutput(text: string): void;
}

/** The only way this program starts another one. */
export interface Processes {
  readonly platform: NodeJS.Platform;
  run(request: ProcessRequest, hooks: ProcessHooks): Promise<ProcessOutcome>;
  /** Absolute path of a program, looked up in the cleaned PATH; `null` when there is none. */
  resolve(program: string): string | null;
  /** Start time of a live process in the system's own unit, `null` when it is gone or a zombie. */
  startTime(pid: number): string | null;
  /** Ends a process and everything below it; resolves when they are gone or after 5 s. */
  killTree(pid: number): Promise<void>;
}
