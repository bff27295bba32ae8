/** What the server needs from its surroundings; the command line provides it. */
import type { Engine } from '../host/engine-port.ts';
import type { LivePort } from '../host/live/live-port.ts';
import type { Clock } from '../lib/clock.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';
import type { SandboxMode } from '../schema/config.ts';

export interface ServerPlace {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly identity: ProcessIdentity;
  readonly version: string;
  /** Absolute; the program's folder among its user's data. */
  readonly dataFolder: string;
  /** Absolute; the folder with the files of the page. */
  readonly pageFolder: string;
  /** Absolute real paths: work may begin only in these folders and below. */
  readonly roots: readonly string[];
  readonly maxRuns: number;
  /** The sandbox of a run whose request names none, by the user's settings; a project may ask for more. */
  readonly sandbox: SandboxMode;
  readonly engine: Engine;
  readonly live: LivePort;
  /** Slash commands of a conversation as typed, with what each is for. */
  readonly commands: readonly { readonly text: string; readonly about: string }[];
  /** Whether such a command says yes for the person. */
  isAnswer(command: string): boolean;
  /** A command of this program as it can be typed here. */
  typed(words: readonly string[]): string;
  random(bytes: number): Uint8Array;
  /** Starts a process for a work file; the process outlives this one. */
  launch(work: Launch): void;
  /** The output of a process, without keys in use and passwords in addresses. */
  withoutSecrets(said: string): string;
  /** Stores an internal error and returns the words by which it can be found. Never throws. */
  keepError(error: unknown): string;
}

export interface Launch {
  /** Absolute; the work file. */
  readonly file: string;
  /** Absolute; the folder that it works in. */
  readonly workspace: string;
  /** Absolute paths of the files for its output. */
  readonly out: string;
  readonly err: string;
  /** Called when the process has gone, if this process still runs. */
  ended(end: ProcessEnd): void;
}

/** How a process ended. Without a code and without a signal, nobody saw its end. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Set if the process could not be started. */
  readonly error?: Error;
}
