import { linuxProcesses } from './identity.ts';
import type { OperatingSystem } from './operating-system.ts';

/** `/proc/net/tcp`: the state of a listening socket. */
const LISTEN = '0A';
const ADDRESS = 1;
const STATE = 3;
const INODE = 9;

/**
 * True if a process of this group or session has a listening socket: it is a server and would not end by
 * itself. Only Linux reports this without another program.
 */
export const isListening = (pid: number, system: OperatingSystem): boolean =>
  addressesOf(pid, system).length > 0;

/**
 * The addresses on which they listen, each once: `127.0.0.1:8123`. Empty if the system does not report it
 * cheaply. In a sandbox the recorded process is the sandbox itself, and only those within have its network.
 */
export function addressesOf(pid: number, system: OperatingSystem): readonly string[] {
  if (system.platform !== 'linux') return [];
  const networkOf = (one: number): string => system.readLink(`/proc/${one}/ns/net`);
  const own = networkOf(system.ownPid);
  const tables = new Map<string, ReadonlyMap<string, string>>();
  const held = linuxProcesses(system)
    .filter((entry) => entry.pid === pid || entry.group === pid || entry.session === pid)
    .flatMap((entry) => {
      const network = networkOf(entry.pid);
      const sockets = tables.get(network) ?? listeningSockets(entry.pid, system);
      tables.set(network, sockets);
      if (sockets.size === 0) return [];
      const found = socketsOf(entry.pid, system).flatMap((socket) => sockets.get(socket) ?? []);
      return network === own ? found : found.map((address) => `${address} ${APART}`);
    });
  return [...new Set(held)].sort();
}

const APART = '(in a network of its own, which no other command reaches)';

/** Listening addresses by the name of their descriptor, in the network of a process. */
function listeningSockets(pid: number, system: OperatingSystem): ReadonlyMap<string, string> {
  const lines = ['tcp', 'tcp6'].flatMap((table) =>
    (system.readText(`/proc/${pid}/net/${table}`) ?? '').split('\n'),
  );
  const columns = lines.map((line) => line.trim().split(/\s+/));
  return new Map(
    columns.flatMap((column): [string, string][] =>
      column[STATE] === LISTEN
        ? [[`socket:[${column[INODE]}]`, readAddress(column[ADDRESS] ?? '')]]
        : [],
    ),
  );
}

const socketsOf = (pid: number, system: OperatingSystem): readonly string[] =>
  system.list(`/proc/${pid}/fd`).map((fd) => system.readLink(`/proc/${pid}/fd/${fd}`));

/** proc(5): words of four bytes, lowest byte first, then the port. IPv6 is given in its short form. */
function readAddress(text: string): string {
  const [host = '', port = '0'] = text.split(':');
  const bytes = (host.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).reverse().map((byte) => Number.parseInt(byte, 16)),
  );
  const number = Number.parseInt(port, 16);
  if (bytes.length === 4) return `${bytes.join('.')}:${number}`;
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255;
  if (isMapped) return `${bytes.slice(12).join('.')}:${number}`;
  const isShort = bytes.slice(0, 15).every((byte) => byte === 0) && (bytes[15] ?? 0) < 2;
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16),
  );
  return `[${isShort ? `::${bytes[15] || ''}` : groups.join(':')}]:${number}`;
}
