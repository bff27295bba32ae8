/** What tools may do with programs that outlive the call that started them. */
import type { BackgroundExit, BackgroundRequest } from '../../processes/background.ts';
import type { Leftover } from '../../processes/contract.ts';
import type { BackgroundEnd } from '../../schema/journal/background.ts';

export interface BackgroundSeen {
  readonly id: string;
  /** What it has printed so far, colours and keys taken out. */
  readonly text: string;
  readonly addresses: readonly string[];
  /** `null` as long as it works. */
  readonly exit: BackgroundExit | null;
}

export interface BackgroundPrograms {
  /** Why no further one is started now; `null`: one may be. */
  refusal(): string | null;
  /** In words why it could not be started, else what it is called by. */
  start(
    request: Omit<BackgroundRequest, 'maxOutputBytes'>,
    options: { readonly cmd: string; onSpawn(pid: number, startTime: string): void },
  ): Promise<{ readonly id: string } | { readonly error: string }>;
  /** Whether this process has started it, and nobody has seen its end yet. */
  has(id: string): boolean;
  /** Those of which that holds. */
  ids(): readonly string[];
  /** What the model is shown of it; `null`: there is none. */
  see(id: string): BackgroundSeen | null;
  /**
   * Until it waits for connections or has ended, or has printed more than was seen of it; and `ms` at the
   * longest.
   */
  wait(
    id: string,
    how: {
      readonly ms: number;
      readonly until: 'stands' | 'prints';
      readonly signal: AbortSignal;
    },
  ): Promise<void>;
  /** Ends it with all that it started. */
  stop(id: string): Promise<BackgroundSeen | null>;
  /** Why there is none of that name, in words for the model. */
  whyNone(id: string): string;
}

/** One that an earlier process left, and what became of it. */
export interface LeftoverBackground {
  readonly id: string;
  readonly cmd: string;
  readonly left: Leftover;
  /** ` on HOST` where another machine started it; ''. */
  readonly where: string;
}

/** Their life beside the run. */
export interface BackgroundLife {
  /** Ends all, each with its record. */
  end(how: BackgroundEnd): Promise<void>;
  /** The same where nothing can be recorded any more. */
  close(): Promise<void>;
  /** What an earlier process left is ended, and recorded; what is to be said of it. */
  endLeft(): Promise<readonly LeftoverBackground[]>;
}

export function endWords({ exitCode, signal, error, putAside = [] }: BackgroundExit): string {
  if (error !== undefined) return `could not be started: ${error}`;
  const how =
    exitCode === null
      ? `ended by signal ${signal ?? 'unknown'}`
      : `ended with exit code ${exitCode}`;
  return putAside.length === 0
    ? how
    : `${how}; it made ${putAside.join(', ')}, which was put aside: only a person may allow it`;
}

/** `bg1 works, listening on 127.0.0.1:8123` */
export function backgroundLine({ id, addresses, exit }: BackgroundSeen): string {
  if (exit !== null) return `${id} ${endWords(exit)}`;
  return `${id} is running${addresses.length === 0 ? '' : `, listening on ${addresses.join(' and ')}`}`;
}
