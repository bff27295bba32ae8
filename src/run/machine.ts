import { arch } from 'node:os';
import { PROGRAMS } from '../languages/commands/programs.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type FileSystem, nodeFileSystem } from '../lib/files/file-system.ts';
import { type ProcessIdentity, systemIdentity } from '../lib/process-identity.ts';
import { startTimeOf } from '../processes/identity.ts';
import type { TrustedFolder } from '../processes/programs/locate.ts';
import { readVariable } from '../processes/programs/search-path.ts';
import type { Confinement } from '../processes/sandbox/run-confined.ts';
import { systemLook } from '../processes/system-look.ts';
import { type SystemProcesses, systemProcesses } from '../processes/system-processes.ts';
import type { WebPorts } from '../tools/web/ports.ts';
import { systemWeb } from '../tools/web/system-web.ts';

/** One file with Node in it: processes of ours are started as that file with a first word of our own. */
export interface SingleProgram {
  /** Absolute. */
  readonly file: string;
  /** What stands before the code of a script, as `-e` does for Node. */
  readonly evaluate: string;
  /** Starts the process that holds an embedded model. */
  readonly engine: string;
}

/** How a script of ours is run: the code stands behind these words. */
export const evaluatorOf = ({
  nodePath,
  single,
}: Pick<Machine, 'nodePath' | 'single'>): { readonly file: string; readonly word: string } =>
  single === undefined
    ? { file: nodePath ?? '', word: '-e' }
    : { file: single.file, word: single.evaluate };

/** Everything outside a run but its model: disk, time, processes. */
export interface Machine {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly identity: ProcessIdentity;
  /** Absolute path of the program that runs this one; `null`: it is one file, and no Node. */
  readonly nodePath: string | null;
  readonly single?: SingleProgram | undefined;
  /** Of the processor: `x64`, `arm64`; left out: not told. */
  readonly arch?: string;
  /** Of the user, absolute; left out: rules about it are about nothing. */
  readonly home?: string | undefined;
  /** Pages of the web; left out: none can be read. */
  readonly web?: WebPorts;
  /** Absolute: where keys of the user and channels to runs lie; nothing that is confined reaches them. */
  readonly ownFolders?: readonly string[];
  /**
   * @param trusted folders of the workspace whose programs may be run; none for the engine itself
   * @param sandbox what programs are started behind; left out: nothing
   */
  processes(
    workspace: string,
    trusted: readonly TrustedFolder[],
    sandbox?: Confinement,
  ): SystemProcesses;
}

/** The real one. Children see the harmless part of `env`. */
export function systemMachine(options: {
  readonly env: { readonly [name: string]: string | undefined };
  readonly nodePath: string | null;
  readonly single?: SingleProgram | undefined;
}): Machine {
  const fs = nodeFileSystem;
  const { platform } = fs;
  const look = systemLook(platform, readVariable(options.env, 'SystemRoot', platform));
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
 * The one this process runs on. Children are started with the harmless part of its environment, as
 * any child would be; nothing else is read from it.
 */
export const thisMachine = (): Machine =>
  systemMachine({ env: process.env, nodePath: process.execPath });
