/** The errors when a journal should exist and does not. */

import { TardigradeError } from '../../lib/errors.ts';
import { basename, dirname, join } from '../../lib/files/absolute-paths.ts';
import { fileKindAt, withStorageErrors } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { type Layout, refuseEndless } from '../layout.ts';
import { isSession, LOST_SESSION } from '../repair/hint.ts';
import { savedJournals, tracesOfLost } from '../traces.ts';

/** Throws E_JOURNAL_MISSING if there was a run; the caller has found no journal. */
export function refuseWhenLost(fs: FileSystem, layout: Layout): void {
  const traces = withStorageErrors(`reading ${layout.root}`, () => tracesOfLost(fs, layout));
  if (traces.length === 0) return;
  const what = isSession(layout) ? 'conversation' : 'run';
  const [saved] = savedJournals(fs, layout);
  throw new TardigradeError(
    'E_JOURNAL_MISSING',
    `There was a ${what} here (${traces.join(', ')}), but its journal ${layout.history} is missing.`,
    ...(isSession(layout)
      ? LOST_SESSION
      : ([
          `${backFrom(saved, layout)}; or repair it, which says what can be saved without it.`,
          { command: ['repair'] },
        ] as const)),
  );
}

const backFrom = (saved: string | undefined, { root, history }: Layout): string =>
  saved === undefined ? `Put ${basename(history)} back` : `Move ${join(root, saved)} to ${history}`;

/**
 * Refuses anything but a regular file: reading a pipe would block, a folder would read as empty, and an endless
 * file would never end. Throws E_JOURNAL_CORRUPT.
 */
export function refuseStranger(fs: FileSystem, path: string): void {
  const kind = fileKindAt(fs, path);
  if (kind === 'file')
    refuseEndless(fs, path, isSession({ root: dirname(path) }) ? LOST_SESSION[0] : undefined);
  if (kind === null || kind === 'file') return;
  throw new TardigradeError(
    'E_JOURNAL_CORRUPT',
    `${path} is ${kind === 'directory' ? 'a folder' : 'a pipe or a device'} and no file. Nothing was changed.`,
    ...(isSession({ root: dirname(path) })
      ? LOST_SESSION
      : ([
          'Put the journal back; or repair it, which moves that away and says what can be saved.',
          { command: ['repair'] },
        ] as const)),
  );
}
