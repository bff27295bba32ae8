/** What the server is given of the world; the command line fulfils it. */
import type { Engine } from '../host/engine-port.ts';
import type { LivePort } from '../host/live/live-port.ts';
import type { Clock } from '../lib/clock.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';

export interface ServerPlace {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly identity: ProcessIdentity;
  readonly version: string;
  /** Absolute; of this program in the folders of its user. */
  readonly dataFolder: string;
  /** Absolute; the files of the page. */
  readonly pageFolder: string;
  /** Absolute real paths: work is begun only in them and below. */
  readonly roots: readonly string[];
  readonly maxRuns: number;
  readonly engine: Engine;
  readonly live: LivePort;
  /** Commands of a conversation as they are typed, and what each is for. */
  readonly commands: readonly { readonly text: string; readonly about: string }[];
  /** Whether such a command says yes for the person. */
  isAnswer(command: string): boolean;
  /** A command of this program as it can be typed here. */
  typed(words: readonly string[]): string;
  random(bytes: number): Uint8Array;
  /** Starts a process for a wish, which works on when this one ends. */
  launch(work: Launch): void;
  /** Keeps what is a bug; the words to find it by. */
  keepError(error: unknown): string;
}

export interface Launch {
  /** Absolute; the file that says what to do. */
  readonly file: string;
  /** Absolute; where it works. */
  readonly workspace: string;
  /** Absolute files for what it prints. */
  readonly out: string;
  readonly err: string;
  /** Told when it is gone, where this process still is. */
  ended(): void;
}
