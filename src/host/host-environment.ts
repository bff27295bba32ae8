import type { Clock } from '../lib/clock.ts';
import type { FileIdentity } from '../lib/files/file-system.ts';
import type { Machine, SingleProgram } from '../run/machine.ts';
import type { Accounts } from './config/accounts.ts';

/** Everything that a host may know about its process. */
export interface HostEnvironment {
  readonly env: { readonly [name: string]: string | undefined };
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Absolute; paths that a user types are relative to it. */
  readonly cwd: string;
  /** Absolute path of Node itself; `null`: the program has no separate Node. */
  readonly nodePath: string | null;
  /** Set if this program is a single file with Node inside. */
  readonly single?: SingleProgram;
  /** The machine on which runs work; left out: the machine of this process. */
  readonly machine?: Machine;
  readonly clock: Clock;
  /** The regular files that this process prints to; left out: none. */
  readonly outputFiles?: readonly FileIdentity[];
  /** Folder of the built program, which contains its other entries. */
  readonly programFolder: string;
  /** Keys and addresses from the user's settings file, if there is one. */
  readonly accounts?: Accounts;
  /** The library reads no environment: keys and addresses come with the call. */
  readonly keysComeFrom?: 'call';
}

/** What a caller passes to the host; the host itself provides the machine and what belongs to its user. */
export type ForHost<Options> = Omit<
  Options,
  'machine' | 'lessons' | 'keys' | 'saveRules' | 'programConsents' | 'originKey' | 'backupFolder'
> & {
  /** Absolute paths of files such as a recording or a log, which are hidden from the work. */
  readonly hiddenFiles?: readonly string[];
};
