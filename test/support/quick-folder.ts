/**
 * Where tests put their folders: in memory, where this system has room for that and starts programs there. On a
 * disk, making and removing folders and waiting for the disk takes a sixth of all tests.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Many times what all tests need at once. */
const MIN_BYTES = 2 * 1024 ** 3;

/** @param named by whoever starts the tests, and kept then */
export function quickFolder(memory = '/dev/shm', named = process.env.TMPDIR): string {
  return named || process.platform !== 'linux' || !isFit(memory) ? tmpdir() : realpathSync(memory);
}

function isFit(folder: string): boolean {
  let own: string | null = null;
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < MIN_BYTES) return false;
    own = mkdtempSync(join(folder, 'fit-'));
    const program = join(own, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    // Containers often allow none there.
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    if (own !== null) rmSync(own, { recursive: true, force: true });
  }
}
