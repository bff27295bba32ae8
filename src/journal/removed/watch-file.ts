/**
 * Keeps an eye on the file of an open journal. Owns what is known of a loss, not the handle.
 *
 * 1. A file that was taken away is saved once, when somebody wants to write or asks why.
 * 2. What the system cannot tell at a moment is no loss; what stays out of reach for some looks is.
 * 3. Once there is a reason not to write, it is the same for all that follow.
 * 4. After a write or a sync of our own that failed the file is not as it was left, and nothing is
 *    concluded from it any more.
 */

import { TardigradeError } from '../../lib/errors.ts';
import { blockFor, kindOf, type Wait } from '../../lib/files/durable-files.ts';
import type { FileIdentity, FileSystem } from '../../lib/files/file-system.ts';
import type { BlobMemory } from '../blobs/memory.ts';
import type { Layout } from '../layout.ts';
import type { AnyRecord, RecordFormat } from '../record-format.ts';
import { repairHint } from '../repair/hint.ts';
import { otherRunThere } from '../runs/other-run.ts';
import { type FileEnd, identify, isPlainlyOwn, lookAtOwnFile, type Sight } from './own-file.ts';
import { type Loss, type Rescue, saveJournal } from './save-journal.ts';

export interface WatchedFile<R extends AnyRecord> {
  readonly fs: FileSystem;
  readonly layout: Layout;
  /** Of the records in it: to say whose journal stands there by now. */
  readonly format: RecordFormat<R>;
  readonly fd: number;
  readonly memory: BlobMemory;
  /** What it was left as. */
  readonly journal: {
    readonly run: string;
    readonly size: number;
    position(): { readonly chain: string };
  };
}

export interface FileWatch {
  /** The look of every second: false when the run must stop. Saves nothing. */
  isOurs(): boolean;
  /** The look before each barrier. Throws E_STATE_GONE, E_FENCED, or what was given to `giveUp`. */
  hold(): void;
  /** The same before each write, in fewer calls where nothing has happened. */
  holdWrite(): void;
  /** Asked before each barrier and each write as well, once the file was looked at; an error ends them all. */
  guard(look: () => TardigradeError | null): void;
  /** Why nothing may be written any more, where that is so; saves what was taken away. */
  reason(): TardigradeError | null;
  /** Invariant 4. */
  rest(): void;
  /** From now on nothing is written any more, for this reason. */
  giveUp(reason: TardigradeError): void;
  /** Once more sees to what was saved: the folder may just be in the middle of being swept. */
  close(): void;
}

/** Looks in a row, a second apart, that may find the file out of reach: a scanner may hold it. */
const PATIENCE = 5;
/** What removes a folder is through with it by then. */
const SWEEP_MS = 50;

export function watchFile<R extends AnyRecord>(
  { fs, layout, format, fd, memory, journal }: WatchedFile<R>,
  wait: Wait = blockFor,
): FileWatch {
  let refusal: TardigradeError | null = null;
  let rescue: Rescue | null = null;
  let hidden = 0;
  let isResting = false;
  let guarded: () => TardigradeError | null = () => null;
  const itself = identityOf(fs, fd);
  const end = (): FileEnd => ({ size: journal.size, chain: journal.position().chain });
  const look = () => lookAtOwnFile(fs, layout.history, fd, end());
  const lossIn = (sight: Sight): Loss | null => {
    if (sight.kind === 'removed' || sight.kind === 'replaced') return sight;
    return sight.kind === 'hidden' && hidden >= PATIENCE ? sight : null;
  };
  const other = () => otherRunThere({ fs, layout, format }, journal.run);
  const save = (loss: Loss): Rescue =>
    saveJournal({ fs, layout }, { run: journal.run, fd, size: journal.size, memory, other }, loss);
  const reason = (): TardigradeError | null => {
    if (refusal !== null || isResting) return refusal;
    const sight = look();
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
      const sight = look();
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
      wait(SWEEP_MS);
      if (!isFile(fs, rescue.file)) save(rescue.loss);
    },
  };
}

function unlessRefused(reason: TardigradeError | null): void {
  if (reason !== null) throw reason;
}

/** Of an open file it stays the same: it is asked for until there is an answer. */
function identityOf(fs: FileSystem, fd: number): () => FileIdentity | null {
  let identity: FileIdentity | null = null;
  return () => {
    try {
      identity ??= identify(fs, fd);
    } catch {
      // A slower look then says what it is.
    }
    return identity;
  };
}

function isFile(fs: FileSystem, path: string | null): boolean {
  try {
    return path !== null && kindOf(fs, path) === 'file';
  } catch {
    return false;
  }
}

/** In place, so that nothing is left of what stood there. */
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
