/**
 * Reverts one message of a conversation: the latest that changed files and is not undone. Changes that someone
 * made on top are left alone and named. After a kill at any point, the next start finishes it.
 */
import type { ContextManager } from '../context-manager/context-manager.ts';
import { CONVERSATION_FORMAT } from '../context-manager/run-format.ts';
import { pagesOf } from '../journal/read-journal.ts';
import { misuse } from '../lib/errors.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { Interruptible } from '../lib/interruptible.ts';
import type { FileChange } from '../schema/actions.ts';
import type { Located } from '../schema/records.ts';
import type { ConversationState } from '../schema/state.ts';
import { differenceMade, differencesOf, type FileDifference } from './differences.ts';
import type { WorkspacePlace } from './folders.ts';
import { UNDO_TYPES } from './records.ts';
import type { UndoReport } from './report.ts';
import { undoing, undoPorts } from './restore.ts';

/** What is read of a conversation to preview an undo. */
export interface ReadPlace extends WorkspacePlace {
  readonly state: Pick<ConversationState, 'chat'>;
  readonly journal: { readonly fs: FileSystem; readonly file: string };
  readonly readBlob: (hash: string) => Uint8Array;
}

export interface UndoPlace extends Omit<ReadPlace, 'state' | 'readBlob'> {
  readonly context: ContextManager & { readonly state: ConversationState };
  /** Left out: only the blobs of the conversation. */
  readonly readBlob?: ReadPlace['readBlob'];
}

const reading = ({ context, ...place }: UndoPlace): ReadPlace => ({
  readBlob: (hash) => context.journal.blobs.read(hash),
  ...place,
  state: context.state,
});

/**
 * `null` if no message has changes left to revert. Continues an undo that was cut off. One piece is a page of
 * the journal, or a file.
 */
export function* undoingLast(place: UndoPlace): Interruptible<UndoReport | null> {
  const { chat } = place.context.state;
  if (chat.open !== null && chat.undoing === null)
    throw misuse(
      'The model is working on a message.',
      'Stop it first, or wait until it has answered.',
    );
  const last = chat.changing.findLast(({ isUndone }) => !isUndone);
  if (last === undefined) return null;
  const { seq: message } = last;
  const read = reading(place);
  const records = yield* recordsOfMessage(read, message);
  const deps = { ...undoPorts(place.context), ...read, message, records: () => records };
  const report = yield* undoing(deps);
  // Nothing was left to restore, so this message is not offered again.
  if (report.outcome === 'nothing_to_undo') {
    deps.append({ type: 'undo_started', files: [], message });
    deps.append({ type: 'undo_finished' });
  }
  return report;
}

/** Restores one file, considering everything that is not undone. */
export function* undoingFile(place: UndoPlace, file: string): Interruptible<UndoReport> {
  const read = reading(place);
  const records = yield* recordsNotUndone(read);
  const deps = { ...undoPorts(place.context), ...read, records: () => records };
  return yield* undoing(deps, file);
}

/** The records of the message, every list of kept files, and what its undo has done so far. */
export function* recordsOfMessage(
  { state, journal }: ReadPlace,
  message: number,
): Interruptible<readonly Located[]> {
  const all = yield* readingAll(journal);
  const next = all.find(({ type, seq }) => type === 'person_said' && seq > message)?.seq;
  const isOf = ({ seq }: Located): boolean => seq >= message && (next === undefined || seq < next);
  const begun = all.findLast((one) => one.type === 'undo_started')?.seq ?? Infinity;
  const isUnderWay = state.chat.undoing === message;
  return all.filter((record) => {
    if (record.type === 'files_kept') return true;
    if (UNDO_TYPES.has(record.type)) return isUnderWay && record.seq >= begun;
    return isOf(record);
  });
}

/** The changes of the conversation that are not reverted; one piece is a page of the journal. */
export function* readingChanges(place: UndoPlace): Interruptible<Iterable<FileDifference>> {
  const read = reading(place);
  return differencesOf(read, yield* recordsNotUndone(read));
}

/** What one call changed in a file, as long as the file is still in that state. */
export const changeMade = (place: UndoPlace, change: FileChange): FileDifference | null =>
  differenceMade(change, reading(place));

/** The records of every message that is not reverted. */
export function* recordsNotUndone({
  state,
  journal,
}: ReadPlace): Interruptible<readonly Located[]> {
  const all = yield* readingAll(journal);
  const said = all.filter(({ type }) => type === 'person_said').map(({ seq }) => seq);
  const undone = new Set(state.chat.changing.flatMap(({ seq, isUndone }) => (isUndone ? seq : [])));
  const isOfUndone = ({ seq }: Located): boolean =>
    undone.has(said.findLast((one) => one <= seq) ?? 0);
  return all.filter((record) => !UNDO_TYPES.has(record.type) && !isOfUndone(record));
}

function* readingAll({ fs, file }: ReadPlace['journal']): Interruptible<readonly Located[]> {
  const records: Located[] = [];
  for (const page of pagesOf({ fs, format: CONVERSATION_FORMAT }, file)) {
    records.push(...page.records);
    if (!page.isEnd) yield;
  }
  return records;
}
