import type { Clock } from '../lib/clock.ts';
import type { SingleProgram } from '../run/machine.ts';
import type { Accounts } from './config/accounts.ts';

/** Where a host stands: everything it may know of the process it runs in. */
export interface HostEnvironment {
  readonly env: { readonly [name: string]: string | undefined };
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Absolute; what a user types is relative to it. */
  readonly cwd: string;
  /** Absolute path of node itself; `null`: this program has none beside itself. */
  readonly nodePath: string | null;
  /** Given where this program is one file that has Node in it. */
  readonly single?: SingleProgram;
  readonly clock: Clock;
  /** Folder of the built program: its other entries lie in it. */
  readonly programFolder: string;
  /** Keys and addresses from the user's settings file, where there is one. */
  readonly accounts?: Accounts;
  /** The library reads no environment: keys and addresses come with the call. */
  readonly keysComeFrom?: 'call';
}

/** What a caller of the host gives: the machine, and what belongs to its user, are the host's own business. */
export type ForHost<Options> = Omit<
  Options,
  'machine' | 'lessons' | 'keys' | 'saveRules' | 'programConsents' | 'originKey' | 'backupFolder'
> & {
  /** Absolute paths of files that are nobody's work, such as a recording or a log: no folder shows them. */
  readonly hiddenFiles?: readonly string[];
};
