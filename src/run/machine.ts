import { arch } from 'node:os';
import { PROGRAMS } from '../languages/commands/programs.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { misuse } from '../lib/errors.ts';
import { type FileSystem, nodeFileSystem } from '../lib/files/file-system.ts';
import { type ProcessIdentity, systemIdentity } from '../lib/process-identity.ts';
import { startTimeOf } from '../processes/identity.ts';
import { operatingSystem } from '../processes/operating-system.ts';
import type { TrustedFolder } from '../processes/programs/locate.ts';
import { readVariable } from '../processes/programs/search-path.ts';
import type { Confinement } from '../processes/sandbox/run-confined.ts';
import { type SystemProcesses, systemProcesses } from '../processes/system-processes.ts';
import type { WebPorts } from '../tools/web/ports.ts';
import { systemWeb } from '../tools/web/system-web.ts';

/** The single executable that contains Node: our own processes start from that file with a word of ours first. */
export interface SingleProgram {
  /** Absolute. */
  readonly file: string;
  /** The word before the source of a script, like Node's `-e`. */
  readonly evaluate: string;
  /** The word that starts the process with an embedded model. */
  readonly engine: string;
}

/** How to run one of our scripts: the program and the word that precede its source. */
export const evaluatorOf = ({
  nodePath,
  single,
}: Pick<Machine, 'nodePath' | 'single'>): { readonly file: string; readonly word: string } =>
  single === undefined
    ? { file: nodePath ?? '', word: '-e' }
    : { file: single.file, word: single.evaluate };

/** Everything that a run needs from outside except its model: disk, time, processes. */
export interface Machine {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly identity: ProcessIdentity;
  /** Absolute path of the Node that runs this process; `null`: a single executable without Node. */
  readonly nodePath: string | null;
  readonly single?: SingleProgram | undefined;
  /** The processor architecture, such as `x64` or `arm64`; left out: unknown. */
  readonly arch?: string;
  /** The user's home folder, absolute; left out: rules about it match nothing. */
  readonly home?: string | undefined;
  /** Access to web pages; left out: none can be read. */
  readonly web?: WebPorts;
  /** Absolute folders with the user's keys and the channels to runs. Confined programs cannot reach them. */
  readonly ownFolders?: readonly string[];
  /**
   * @param trusted workspace folders whose programs may run; none for programs of the engine itself
   * @param sandbox the sandbox that confines programs; left out: none
   */
  processes(
    workspace: string,
    trusted: readonly TrustedFolder[],
    sandbox?: Confinement,
  ): SystemProcesses;
}

/** The machine of this process. Child processes get only the harmless part of `env`. Throws E_USAGE. */
export function systemMachine(options: {
  readonly env: { readonly [name: string]: string | undefined };
  readonly nodePath: string | null;
  readonly single?: SingleProgram | undefined;
}): Machine {
  const env: unknown = (options as typeof options | null | undefined)?.env;
  if (typeof env !== 'object' || env === null)
    throw misuse('A machine has an environment.', 'Give { env, nodePath }; env may be {}.');
  const fs = nodeFileSystem;
  const { platform } = fs;
  const look = operatingSystem(platform, readVariable(options.env, 'SystemRoot', platform));
  const identity = systemIdentity({
    platform,
    clock: systemClock,
    startTime: (pid) => startTimeOf(pid, look),
  });
  return {
    fs,
    clock: systemClock,
    identity,
    nodePath: options.nodePath,
    single: options.single,
    arch: arch(),
    web: systemWeb(options.env),
    home: readVariable(options.env, platform === 'win32' ? 'USERPROFILE' : 'HOME', platform),
    processes: (workspace, trusted, sandbox) =>
      systemProcesses({
        platform,
        env: options.env,
        workspace,
        fs,
        clock: systemClock,
        identity,
        nodePath: options.nodePath,
        trusted,
        known: PROGRAMS,
        confinement: sandbox,
      }),
  };
}

/**
 * The machine of this process. It reads the environment only to pass its harmless part to child processes, as
 * any parent would.
 */
export const thisMachine = (): Machine =>
  systemMachine({ env: process.env, nodePath: process.execPath });
