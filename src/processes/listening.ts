import { linuxProcesses } from './identity.ts';
import type { SystemLook } from './system-look.ts';

/** `/proc/net/tcp`: the state of a socket that waits for connections. */
const LISTEN = '0A';
const STATE = 3;
const INODE = 9;

/**
 * True where a process of this group or session holds a socket that waits for connections: it
 * serves, and would not end by itself. Only Linux tells it without another program.
 */
export function isListening(pid: number, system: SystemLook): boolean {
  if (system.platform !== 'linux') return false;
  const sockets = listeningSockets(pid, system);
  return (
    sockets.size > 0 &&
    linuxProcesses(system)
      .filter((entry) => entry.pid === pid || entry.group === pid || entry.session === pid)
      .some((entry) => holdsOneOf(sockets, entry.pid, system))
  );
}

function listeningSockets(pid: number, system: SystemLook): ReadonlySet<string> {
  const lines = ['tcp', 'tcp6'].flatMap((table) =>
    (system.readText(`/proc/${pid}/net/${table}`) ?? '').split('\n'),
  );
  const columns = lines.map((line) => line.trim().split(/\s+/));
  return new Set(
    columns.flatMap((column) => (column[STATE] === LISTEN ? `socket:[${column[INODE]}]` : [])),
  );
}

const holdsOneOf = (sockets: ReadonlySet<string>, pid: number, system: SystemLook): boolean =>
  system
    .list(`/proc/${pid}/fd`)
    .some((fd) => sockets.has(system.readLink(`/proc/${pid}/fd/${fd}`)));
