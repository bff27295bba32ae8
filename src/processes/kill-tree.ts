import type { Clock } from '../lib/clock.ts';
import { listProcesses, type ProcessEntry } from './identity.ts';
import type { OperatingSystem } from './operating-system.ts';

const GIVE_UP_MS = 4000;
const LOOK_AGAIN_MS = 20;

/**
 * Ends a process and everything below it; resolves when they are gone, or after about 4 s. On POSIX that is its
 * group, its session (a program that left the group is still in the session) and all descendants by parent.
 * Processes are killed without warning: one that ignores SIGTERM would keep forking while we wait.
 * @param others names below /proc of processes that were there before it: where nothing is left in its group,
 * they are not looked at
 */
export async function killProcessTree(
  pid: number,
  system: OperatingSystem,
  clock: Clock,
  others?: ReadonlySet<string>,
): Promise<void> {
  if (!Number.isInteger(pid) || pid <= 1 || pid === system.ownPid) return;
  const deadline = clock.monotonic() + GIVE_UP_MS;
  if (system.platform === 'win32') return killOnWindows(pid, system, clock, deadline);
  // Processes that were there before are left out only if the group is gone: its number may be another
  // process's by now.
  const leftOut = others !== undefined && system.signal(-pid, 0) ? undefined : others;
  const known = new Map<number, string>();
  for (;;) {
    const alive = (await listProcesses(system, leftOut)).filter((entry) => !entry.zombie);
    const foreign = alive.filter((entry) => entry.pid !== system.ownPid);
    for (const entry of treeOf(pid, known, foreign)) known.set(entry.pid, entry.startTime);
    const targets = foreign.filter((entry) => known.get(entry.pid) === entry.startTime);
    if (isForeignGroup(pid, alive, system)) system.signal(-pid, 'SIGKILL');
    for (const entry of targets) system.signal(entry.pid, 'SIGKILL');
    if (targets.length === 0 || clock.monotonic() >= deadline) return;
    await clock.sleep(LOOK_AGAIN_MS);
  }
}

/** `pid`, its group, its session and all their descendants. */
function treeOf(
  pid: number,
  known: ReadonlyMap<number, string>,
  alive: readonly ProcessEntry[],
): ProcessEntry[] {
  const inTree = new Set<number>([pid, ...known.keys()]);
  const belongs = (entry: ProcessEntry): boolean =>
    inTree.has(entry.pid) ||
    inTree.has(entry.parent) ||
    entry.group === pid ||
    entry.session === pid;
  let before = -1;
  while (before !== inTree.size) {
    before = inTree.size;
    for (const entry of alive) if (belongs(entry)) inTree.add(entry.pid);
  }
  return alive.filter((entry) => inTree.has(entry.pid));
}

/** True if the group exists and this process is not in it. */
function isForeignGroup(
  pid: number,
  alive: readonly ProcessEntry[],
  system: OperatingSystem,
): boolean {
  const members = alive.filter((entry) => entry.group === pid);
  return members.length > 0 && members.every((entry) => entry.pid !== system.ownPid);
}

/** taskkill knows the tree; the second kill is for systems where taskkill is missing or refused. */
async function killOnWindows(
  pid: number,
  system: OperatingSystem,
  clock: Clock,
  deadline: number,
): Promise<void> {
  const taskkill = `${system.systemRoot}\\System32\\taskkill.exe`;
  await system.ask(taskkill, ['/PID', String(pid), '/T', '/F'], 3000);
  while (system.signal(pid, 0) && clock.monotonic() < deadline) {
    system.signal(pid, 'SIGKILL');
    await clock.sleep(LOOK_AGAIN_MS);
  }
}
