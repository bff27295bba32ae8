/** Finds and ends what is still alive of a program whose starter was killed. */
import { isInside } from '../lib/files/absolute-paths.ts';
import { isOtherMachine, isSameBoot } from '../lib/process-identity.ts';
import type { ProcessPlace } from '../schema/actions.ts';
import type { Leftover, StartedProcess } from './contract.ts';
import { listProcesses, type ProcessEntry } from './identity.ts';
import { endMarked } from './marked.ts';
import type { OperatingSystem } from './operating-system.ts';

export interface LeftoverPorts {
  readonly system: OperatingSystem;
  /** Where this process runs. */
  readonly place: ProcessPlace;
  /** Absolute real path. */
  readonly workspace: string;
  killTree(pid: number): Promise<void>;
}

/** See `Processes.endLeftover`. Ends only what certainly belongs to that program, or to others of its starter. */
export async function endLeftover(
  started: StartedProcess | null,
  there: ProcessPlace | undefined,
  ports: LeftoverPorts,
): Promise<Leftover> {
  const left = await endFamily(started, there, ports);
  const { system, place } = ports;
  const isHere =
    there !== undefined &&
    !isOtherMachine(there, place) &&
    isSameBoot(there.boot, place.boot) &&
    there.pidNamespace === place.pidNamespace;
  if (!isHere || there.mark === undefined || there.mark === place.mark) return left;
  const daemons = await endMarked(there.mark, { system, killTree: ports.killTree });
  if (daemons.left.length > 0) return 'still_running';
  return daemons.ended.length > 0 && left === 'none' ? 'ended' : left;
}

async function endFamily(
  started: StartedProcess | null,
  there: ProcessPlace | undefined,
  ports: LeftoverPorts,
): Promise<Leftover> {
  const { system, place } = ports;
  if (there !== undefined) {
    // No signal from here reaches that machine, and a restart of this machine ends nothing there.
    if (isOtherMachine(there, place)) return 'may_run';
    if (!isSameBoot(there.boot, place.boot)) return 'none';
    if (there.pidNamespace !== place.pidNamespace) return 'may_run';
    // The system ended the program together with its starter (libuv's job object). What the program itself
    // started is in no job and cannot be found.
    if (system.platform === 'win32') return 'may_run';
    if (started === null) return there.isGated ? 'none' : 'may_run';
  }
  if (started === null) return 'none';
  const family = await familyOf(started.pid, system);
  const living = family.filter((entry) => !entry.zombie);
  if (living.length === 0) return 'none';
  const leader = family.find((entry) => entry.pid === started.pid);
  // A number is reused only when no group or session has it any more.
  if (leader && isAnother(leader, started)) return 'none';
  if (!(leader ? started.startTime !== '' : living.some((one) => isOurs(one, started, ports))))
    return 'may_run';
  await ports.killTree(started.pid);
  const isGone = (await familyOf(started.pid, system)).every((entry) => entry.zombie);
  return isGone ? 'ended' : 'still_running';
}

/** Where only another machine can tell what became of it: ` on HOST`; otherwise empty. */
export const whereElse = (there: ProcessPlace | undefined, here: ProcessPlace): string =>
  there !== undefined && isOtherMachine(there, here) ? ` on ${there.host}` : '';

const familyOf = async (pid: number, system: OperatingSystem): Promise<readonly ProcessEntry[]> =>
  (await listProcesses(system)).filter(
    (entry) =>
      entry.pid !== system.ownPid &&
      (entry.pid === pid || entry.group === pid || entry.session === pid),
  );

const isAnother = (leader: ProcessEntry, { startTime }: StartedProcess): boolean =>
  startTime !== '' && leader.startTime !== startTime;

/**
 * The program is gone, but what it started is still running: younger than the program, in its group or session,
 * and working in this workspace. macOS does not report where a process works.
 */
function isOurs(
  { pid, startTime }: ProcessEntry,
  started: StartedProcess,
  { system, workspace }: LeftoverPorts,
): boolean {
  if (Number(startTime) < Number(started.startTime)) return false;
  const folder = system.readLink(`/proc/${pid}/cwd`);
  return folder !== '' && isInside(workspace, folder, system.platform);
}
