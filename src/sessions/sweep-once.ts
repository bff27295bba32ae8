/**
 * Removes conversations of a single message from a command line. They stay for an undo until they are a week old, or
 * ten newer ones exist, unless somebody continued them. The journal is removed last, so that an interrupted removal is
 * completed at the next start.
 */
import { acquireLock } from '../journal/lock/lock.ts';
import { refuseLinks } from '../journal/no-links.ts';
import type { Clock } from '../lib/clock.ts';
import { TardigradeError } from '../lib/errors.ts';
import { pathsOf } from '../lib/files/absolute-paths.ts';
import { errorCode } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { runSync } from '../lib/interruptible.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';
import { sweepFolder } from '../workspace/sweep-folder.ts';
import { isOneMessage, layoutOfSession, listStoredSessions } from './places.ts';

const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_KEPT = 10;

interface SweepPlace {
  readonly fs: FileSystem;
  readonly folder: string;
  readonly clock: Clock;
  readonly identity: ProcessIdentity;
}

/** What cannot be removed stays for the next start. */
export function sweepOnce(place: SweepPlace): void {
  const { fs, folder, clock } = place;
  const all = listStoredSessions(fs, folder).filter(({ isOnce }) => isOnce);
  for (const [newer, one] of all.entries()) {
    if (newer < MAX_KEPT && clock.now() - one.lastAt < KEPT_MS) continue;
    if (isOneMessage(fs, folder, one)) remove(place, one.id);
  }
}

function remove({ fs, folder, clock, identity }: SweepPlace, id: string): void {
  const layout = layoutOfSession(folder, id);
  const { root, history, lock: directory } = layout;
  const { basename, join } = pathsOf(fs.platform);
  try {
    refuseLinks(fs, layout);
    const lock = acquireLock({ fs, directory, identity, clock }, { force: false });
    try {
      const last = [basename(history), basename(directory)];
      for (const name of fs.readdir(root))
        if (!last.includes(name)) runSync(sweepFolder(fs, join(root, name)));
      fs.unlink(history);
    } finally {
      lock.release();
    }
    runSync(sweepFolder(fs, root));
  } catch (error) {
    if (!(error instanceof TardigradeError) && errorCode(error) === '') throw error;
  }
}
