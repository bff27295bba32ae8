/**
 * Watches the file of an open journal. Owns what is known of a loss, not the handle.
 * 1. A file that was removed is saved once, when someone wants to write or asks for the reason.
 * 2. A temporary error of the system is not a loss; a file that stays out of reach for several looks is.
 * 3. Once there is a reason not to write, it stays the same.
 * 4. After a failed write or sync of our own, the file is not as it was left, and nothing more is concluded
 *    from it.
 */

import { TardigradeError } from '../../lib/errors.ts';
import { blockFor, fileKindAt } from '../../lib/files/durable-files.ts';
import type { FileIdentity, FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import type { BlobMemory } from '../blobs/memory.ts';
import type { Layout, StateFolder } from '../layout.ts';
import type { AnyRecord, RecordFormat } from '../record-format.ts';
import { repairHint } from '../repair/hint.ts';
import { otherRunThere } from '../runs/other-run.ts';
import { type FileEnd, identify, inspectOwnFile, isPlainlyOwn, type Sight } from './own-file.ts';
import { type Loss, type Rescue, saveJournal } from './save-journal.ts';

export interface WatchedFile<R extends AnyRecord> extends StateFolder {
  /** The format of its records, used to say whose journal is there now. */
  readonly format: RecordFormat<R>;
  readonly fd: number;
  readonly memory: BlobMemory;
  /** The state in which the journal left its file. */
  readonly journal: {
    readonly run: string;
    readonly size: number;
    position(): { readonly chain: string };
  };
}

export interface FileWatch {
  /** The check of every second: false if the run must stop. Saves nothing. */
  isOurs(): boolean;
  /** The check before every barrier. Throws E_STATE_GONE, E_FENCED, or the reason given to `giveUp`. */
  hold(): void;
  /** The check before every write, with fewer calls if nothing has happened. */
  holdWrite(): void;
  /** Adds a check before every barrier and write, after the file was examined; an error from it ends all writing. */
  guard(inspect: () => TardigradeError | null): void;
  /** Why nothing may be written any more, if that is so. Saves a file that was removed. */
  reason(): TardigradeError | null;
  /** Invariant 4. */
  rest(): void;
  /** Ends all writing, for this reason. */
  giveUp(reason: TardigradeError): void;
  /** Checks the saved journal once more, because the folder may just be being deleted. */
  close(): void;
}

/**
 * Consecutive looks, a second apart, that may find the file out of reach, for instance because a scanner holds
 * it.
 */
const PATIENCE = 5;
/** A program that deletes a folder has finished by then. */
const SWEEP_MS = 50;

export function watchFile<R extends AnyRecord>(watched: WatchedFile<R>): FileWatch {
  const { fs, layout, format, fd, memory, journal } = watched;
  let refusal: TardigradeError | null = null;
  let rescue: Rescue | null = null;
  let hidden = 0;
  let isResting = false;
  let guarded: () => TardigradeError | null = () => null;
  const itself = identityOf(fs, fd);
  const end = (): FileEnd => ({ size: journal.size, chain: journal.position().chain });
  const inspect = () => inspectOwnFile(fs, layout.history, fd, end());
  const lossIn = (sight: Sight): Loss | null => {
    if (sight.kind === 'removed' || sight.kind === 'replaced') return sight;
    return sight.kind === 'hidden' && hidden >= PATIENCE ? sight : null;
  };
  const other = () => otherRunThere({ fs, layout, format }, journal.run);
  const save = (loss: Loss): Rescue =>
    saveJournal({ fs, layout }, { run: journal.run, fd, size: journal.size, memory, other }, loss);
  const reason = (): TardigradeError | null => {
    if (refusal !== null || isResting) return refusal;
    const sight = inspect();
    const loss = lossIn(sight);
    rescue = loss === null ? null : save(loss);
    if (sight.kind === 'written')
      refusal = overwritten(layout, other()) ?? fenced(layout, end(), sight.size);
    refusal ??= rescue?.error ?? guarded();
    return refusal;
  };
  const hold = (): void => unlessRefused(reason());
  return {
    isOurs() {
      if (refusal !== null || isResting) return refusal === null;
      const sight = inspect();
      hidden = sight.kind === 'hidden' ? hidden + 1 : 0;
      return sight.kind !== 'written' && lossIn(sight) === null;
    },
    hold,
    holdWrite() {
      const isQuiet = refusal === null && !isResting && hidden === 0 && guarded() === null;
      if (!isQuiet || !isPlainlyOwn(fs, layout.history, { fd, identity: itself() }, end())) hold();
    },
    guard(look) {
      guarded = look;
    },
    reason,
    rest() {
      isResting = true;
    },
    giveUp(reason) {
      refusal ??= reason;
    },
    close() {
      if (rescue === null) return;
      blockFor(SWEEP_MS);
      if (!isFile(fs, rescue.file)) save(rescue.loss);
    },
  };
}

function unlessRefused(reason: TardigradeError | null): void {
  if (reason !== null) throw reason;
}

/** An open file's identity does not change, so it is queried until there is an answer. */
function identityOf(fs: FileSystem, fd: number): () => FileIdentity | null {
  let identity: FileIdentity | null = null;
  return () => {
    // The slower check then determines what it is.
    orNull(() => (identity ??= identify(fs, fd)));
    return identity;
  };
}

const isFile = (fs: FileSystem, path: string | null): boolean =>
  path !== null && orNull(() => fileKindAt(fs, path)) === 'file';

/** The file was overwritten in place, so nothing is left of the journal. */
const overwritten = (layout: Layout, other: string | null): TardigradeError | null =>
  other === null
    ? null
    : new TardigradeError(
        'E_FENCED',
        `${layout.history} was overwritten with the journal of another run (${other}) while this one worked.`,
        ...repairHint(
          layout,
          'Put the journal of this run back; or repair it, which says what state.json still knows of it.',
        ),
      );

const fenced = ({ history }: Layout, left: FileEnd, size: number): TardigradeError =>
  new TardigradeError(
    'E_FENCED',
    size === left.size
      ? `The last record of ${history} is not the one that this run wrote: somebody else changed it.`
      : `${history} has ${size} bytes where this run left ${left.size}: somebody else wrote to it.`,
    'Make sure that only one agent works in this folder, then run the same command again.',
  );
