/**
 * Puts back what one message changed: the last that changed files and is not undone. A change that
 * stands on it is left alone and named. Killed anywhere, the next start finishes it.
 */

import { CONVERSATION_FORMAT } from '../context-manager/run-format.ts';
import { JOURNAL_BEGIN, readPage } from '../journal/read-journal.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { InPieces } from '../lib/pieces.ts';
import type { ChangingMessage } from '../schema/chat-state.ts';
import type { JournalRecord, Located } from '../schema/records.ts';
import type { Conversation } from '../schema/state.ts';
import { differencesOf, type FileDifference } from '../undo/differences.ts';
import type { UndoReport } from '../undo/report.ts';
import { undoing, undoPorts } from '../undo/restore.ts';
import type { ChatContext } from './chat-context.ts';

/** What is read of a session for an undo that is only shown. */
export interface ReadPlace extends Pick<UndoPlace, 'fs' | 'workspace' | 'journal'> {
  readonly state: Pick<Conversation, 'chat'>;
  readonly readBlob: (hash: string) => Uint8Array;
}

export interface UndoPlace {
  readonly context: ChatContext;
  /** Of the workspace. */
  readonly fs: FileSystem;
  readonly workspace: string;
  /** Of the journal. */
  readonly journal: { readonly fs: FileSystem; readonly file: string };
  /** A blob by its sha256; left out: those of the session alone. */
  readonly readBlob?: (hash: string) => Uint8Array;
}

const reading = (place: UndoPlace): ReadPlace => ({
  ...place,
  state: place.context.state,
  readBlob: blobsOf(place),
});

const blobsOf = ({ context, readBlob }: UndoPlace): ReadPlace['readBlob'] =>
  readBlob ?? ((hash) => context.journal.blobs.read(hash));

/**
 * `null` where no message of the session has changed anything that is not put back. One that was cut
 * off goes on; a piece is a page of the journal, or a file.
 */
export function* undoingLast(place: UndoPlace): InPieces<UndoReport | null> {
  const { chat } = place.context.state;
  if (chat.open !== null && chat.undoing === null)
    throw new TardigradeError(
      'E_USAGE',
      'The model is at work on a message.',
      'Stop it first, or wait until it has answered.',
    );
  const last = chat.changing.findLast(({ isUndone }) => !isUndone);
  return last === undefined ? null : yield* undoingMessage(place, last);
}

function* undoingMessage(place: UndoPlace, message: ChangingMessage): InPieces<UndoReport> {
  const { fs, workspace } = place;
  const ports = portsOf(place, (record) => ofMessage(record, message.seq));
  const records = yield* recordsOfMessage(reading(place), message.seq);
  const report = yield* undoing({ ...ports, fs, workspace, records: () => records });
  // Nothing of it was left to put back: it is not offered again.
  if (report.outcome === 'nothing_to_undo') {
    ports.append({ type: 'undo_started', files: [] });
    ports.append({ type: 'undo_finished' });
  }
  return report;
}

/** Puts one file back, of all that is not undone. */
export function* undoingFile(place: UndoPlace, file: string): InPieces<UndoReport> {
  const { fs, workspace } = place;
  const ports = portsOf(place, (record) => record);
  const records = yield* recordsNotUndone(reading(place));
  return yield* undoing({ ...ports, fs, workspace, records: () => records }, file);
}

const portsOf = (place: UndoPlace, asStored: (record: JournalRecord) => JournalRecord) => ({
  ...undoPorts({
    record: (record) => place.context.record(asStored(record)),
    sync: () => place.context.sync('effect'),
    blobs: place.context.journal.blobs,
  }),
  readBlob: blobsOf(place),
});

const ofMessage = (record: JournalRecord, message: number): JournalRecord =>
  record.type === 'undo_started' ? { ...record, message } : record;

/** What the message did, every list of kept files, and what an undo of it has done so far. */
export function* recordsOfMessage(
  { state, journal }: Pick<ReadPlace, 'state' | 'journal'>,
  message: number,
): InPieces<readonly Located[]> {
  const all = yield* readingAll(journal);
  const next = all.find(({ type, seq }) => type === 'person_said' && seq > message)?.seq;
  const isOf = ({ seq }: Located): boolean => seq >= message && (next === undefined || seq < next);
  const begun = all.findLast((one) => one.type === 'undo_started')?.seq ?? Infinity;
  const isUnderWay = state.chat.undoing === message;
  return all.filter((record) => {
    if (record.type === 'files_kept') return true;
    if (UNDO.has(record.type)) return isUnderWay && record.seq >= begun;
    return isOf(record);
  });
}

const UNDO: ReadonlySet<string> = new Set(['undo_started', 'file_restored', 'undo_finished']);

/** What the session has changed and not put back; a piece is a page of the journal. */
export function* readingChanges(place: UndoPlace): InPieces<Iterable<FileDifference>> {
  const read = reading(place);
  return differencesOf(read, yield* recordsNotUndone(read));
}

/** What every message did that is not put back. */
export function* recordsNotUndone({
  state,
  journal,
}: Pick<ReadPlace, 'state' | 'journal'>): InPieces<readonly Located[]> {
  const all = yield* readingAll(journal);
  const said = all.filter(({ type }) => type === 'person_said').map(({ seq }) => seq);
  const undone = new Set(state.chat.changing.flatMap(({ seq, isUndone }) => (isUndone ? seq : [])));
  const isOfUndone = ({ seq }: Located): boolean =>
    undone.has(said.findLast((one) => one <= seq) ?? 0);
  const records = all.filter((record) => !UNDO.has(record.type) && !isOfUndone(record));
  return records;
}

function* readingAll({ fs, file }: UndoPlace['journal']): InPieces<readonly Located[]> {
  const records: Located[] = [];
  let cursor = JOURNAL_BEGIN;
  for (;;) {
    const page = readPage({ fs, format: CONVERSATION_FORMAT }, file, cursor);
    records.push(...page.records);
    cursor = page.next;
    if (page.isEnd) return records;
    yield;
  }
}
