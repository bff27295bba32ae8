/**
 * Where the agents that tests start keep their sockets. One that is killed leaves its own behind: they lie in a
 * folder of the tests, not among those of the user's own runs.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

/** The name of a socket ends at 104 bytes; what the program puts behind its folder takes the rest. */
const MAX_BYTES = 44;
const KEPT_MS = 60 * 60 * 1000;

/** @param root of the project. What `XDG_RUNTIME_DIR` is to say: a folder of this user alone. */
export function folderForSockets(root: string): string {
  if (process.platform === 'win32') return '';
  const own = join(root, '.cache', 'run');
  const short = join('/tmp', `tardigrade-tests-${userInfo().uid}`);
  const folder = Buffer.byteLength(own) > MAX_BYTES ? short : own;
  const sockets = join(folder, 'tardigrade-agent');
  mkdirSync(sockets, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(sockets)) {
    const left = join(sockets, name);
    const { mtimeMs } = statSync(left, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && Date.now() - mtimeMs > KEPT_MS) rmSync(left, { force: true });
  }
  return folder;
}
