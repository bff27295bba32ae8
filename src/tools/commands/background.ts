/** What tools may do with programs that outlive the call that started them. */
import type { BackgroundExit, BackgroundRequest } from '../../processes/background.ts';
import type { Leftover } from '../../processes/contract.ts';
import type { BackgroundEnd } from '../../schema/journal/background.ts';

export interface BackgroundSeen {
  readonly id: string;
  /** The program's output so far, without colours and secrets. */
  readonly text: string;
  readonly addresses: readonly string[];
  /** `null` while it runs. */
  readonly exit: BackgroundExit | null;
}

export interface BackgroundPrograms {
  /** Why no further program is started now; `null`: one may be. */
  refusal(): string | null;
  /** Starts a program; returns its id, or a message why it could not be started. */
  start(
    request: Omit<BackgroundRequest, 'maxOutputBytes'>,
    options: { readonly cmd: string; onSpawn(pid: number, startTime: string): void },
  ): Promise<{ readonly id: string } | { readonly error: string }>;
  /** Whether this process started it and its end has not been seen yet. */
  has(id: string): boolean;
  /** The ids of such programs. */
  ids(): readonly string[];
  /** The part of a program that the model is shown; `null`: there is no such program. */
  see(id: string): BackgroundSeen | null;
  /** Waits until it listens for connections, has ended, or has printed something new, but at most `ms`. */
  wait(
    id: string,
    how: {
      readonly ms: number;
      readonly until: 'stands' | 'prints';
      readonly signal: AbortSignal;
    },
  ): Promise<void>;
  /** Ends it with everything it started. */
  stop(id: string): Promise<BackgroundSeen | null>;
  /** Why there is no program with that id, worded for the model. */
  whyNone(id: string): string;
}

/** A program that an earlier process left, and what became of it. */
export interface LeftoverBackground {
  readonly id: string;
  readonly cmd: string;
  readonly left: Leftover;
  /** ` on HOST` if another machine started it; otherwise empty. */
  readonly where: string;
}

/** The life of background programs beside the run. */
export interface BackgroundLife {
  /** Ends all of them, each with a record. */
  end(how: BackgroundEnd): Promise<void>;
  /** The same when nothing can be recorded any more. */
  close(): Promise<void>;
  /** Ends and records what an earlier process left, and returns what to report. */
  endLeft(): Promise<readonly LeftoverBackground[]>;
}

export function exitWords({ exitCode, signal, error, putAside = [] }: BackgroundExit): string {
  if (error !== undefined) return `could not be started: ${error}`;
  const how =
    exitCode === null
      ? `ended by signal ${signal ?? 'unknown'}`
      : `ended with exit code ${exitCode}`;
  return putAside.length === 0
    ? how
    : `${how}; while it ran there appeared ${putAside.join(', ')}, which was put aside: only a person may allow it`;
}

/** `bg1 works, listening on 127.0.0.1:8123` */
export function backgroundLine({ id, addresses, exit }: BackgroundSeen): string {
  if (exit !== null) return `${id} ${exitWords(exit)}`;
  return `${id} is running${addresses.length === 0 ? '' : `, listening on ${addresses.join(' and ')}`}`;
}
