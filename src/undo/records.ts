/**
 * Reads what an undo needs: every readable record of the run, oldest first, and the remains of others. A
 * damaged journal that was not repaired is not undone, because the missing part may still be recoverable.
 */
import { RUN_FORMAT } from '../context-manager/run-format.ts';
import type { StateFolder } from '../journal/layout.ts';
import { pagesOf } from '../journal/read-journal.ts';
import { type Salvaged, salvage } from '../journal/repair/salvage.ts';
import { corrupt, tooNew } from '../journal/replay.ts';
import { refuseOtherRunThere } from '../journal/runs/other-run.ts';
import { readSetAside } from '../journal/set-aside.ts';
import { fileKindAt } from '../lib/files/durable-files.ts';
import { withFile } from '../lib/files/with-file.ts';
import { type Interruptible, runSync } from '../lib/interruptible.ts';
import type { DamagedSpan } from '../schema/journal/damage.ts';
import type { JournalRecord, RecordOf } from '../schema/records.ts';
import { changesIn, type UndoRecord } from './remnants.ts';
import { unreportedText, writtenBy } from './unreported.ts';

/** What an undo cannot know, and from where else it took its information. */
export interface UndoDamage {
  /** One sentence each. */
  readonly unreadable: readonly string[];
  /** Files below `.agent_context/`. */
  readonly readFrom: readonly string[];
}

export interface UndoSource {
  readonly records: readonly UndoRecord[];
  /** Left out if the whole journal was read. */
  readonly damage?: UndoDamage;
  /** False if no journal is left to record the undo in. */
  readonly hasJournal: boolean;
}

/** `null` if there was no run. Throws E_JOURNAL_CORRUPT for damage that no repair has examined, E_TOO_NEW, E_IO. */
export const readForUndo = (place: StateFolder): UndoSource | null =>
  runSync(readingForUndo(place));

/** The same in pieces of one journal page. */
export function* readingForUndo(place: StateFolder): Interruptible<UndoSource | null> {
  const { fs, layout } = place;
  const damage = { unreadable: [] as string[], readFrom: [] as string[] };
  refuseOtherRunThere({ ...place, format: RUN_FORMAT });
  const hasJournal = fileKindAt(fs, layout.history) !== null;
  const records = hasJournal ? yield* fromJournal(place, damage) : fromSetAside(place, damage);
  const isSetAside = !hasJournal && readSetAside(fs, layout) !== null;
  if (records.length === 0 && !isSetAside) return null;
  if (records.length === 0)
    damage.unreadable.push('what the run changed: no record of it can be read');
  const isDamaged = damage.unreadable.length > 0 || damage.readFrom.length > 0;
  damage.unreadable.push(...unreportedText(place, records, isDamaged));
  const isWhole = !isDamaged && damage.unreadable.length === 0;
  return { records, hasJournal, ...(isWhole ? {} : { damage }) };
}

type Damage = { readonly unreadable: string[]; readonly readFrom: string[] };

function* fromJournal(place: StateFolder, damage: Damage): Interruptible<UndoRecord[]> {
  const { fs, layout } = place;
  const at = { fs, format: RUN_FORMAT };
  const records: JournalRecord[] = [];
  let all: readonly UndoRecord[] = records;
  for (const { next, problem, isTooNew, ...page } of pagesOf(at, layout.history)) {
    records.push(...page.records);
    if (isTooNew) throw tooNew(layout.history, `record at byte ${next.offset}: ${problem}`);
    if (problem !== '') all = aroundGaps(place, next.offset, problem, damage);
    if (!page.isEnd) yield;
  }
  return all.flatMap((one) => (isSetAside(one) ? [...partOf(place, one, damage), one] : [one]));
}

const isSetAside = (record: UndoRecord): record is RecordOf<'bytes_set_aside'> =>
  record.type === 'bytes_set_aside';

/** Continues after bytes that a repair marked as unreadable. */
function aroundGaps(
  { fs, layout }: StateFolder,
  damagedAt: number,
  why: string,
  damage: Damage,
): UndoRecord[] {
  return withFile(fs, layout.history, (fd) => {
    const parts = [...salvage(fs, fd, RUN_FORMAT)];
    const spans = parts.flatMap((part) => spansIn(part));
    if (!spans.some(({ from }) => from === damagedAt)) throw corrupt(layout, damagedAt, why);
    for (const { from, to, records } of spans) {
      damage.unreadable.push(
        `bytes ${from} to ${to} of the journal (${records} ${records === 1 ? 'record' : 'records'}) cannot be read; what only they say of files is not known`,
      );
    }
    return parts.flatMap((part) => recordsOf(part));
  });
}

const spansIn = (part: Salvaged<JournalRecord>): readonly DamagedSpan[] =>
  part.kind === 'record' && part.record.type === 'bytes_unreadable' ? part.record.spans : [];

export const UNDO_TYPES: ReadonlySet<string> = new Set([
  ...['undo_started', 'file_restored', 'undo_finished'],
]);

function recordsOf(part: Salvaged<JournalRecord>, isCutOff = false): readonly UndoRecord[] {
  if (part.kind === 'record' && part.isChecked) {
    // An undo in a part that was cut off is repeated; files that are already restored stay.
    return isCutOff && UNDO_TYPES.has(part.record.type) ? [] : [part.record];
  }
  // A list of kept files is named by its own hash: it is either the right one or missing.
  if (part.kind === 'record' && part.record.type === 'files_kept') return [part.record];
  // It is worth knowing that a command started, however damaged its line is.
  if (part.kind === 'record' && part.record.type === 'action_intended') {
    const { class: of } = part.record;
    if (of === 'command' || of === 'check') return [part.record];
  }
  if (part.kind === 'record' && part.record.type === 'action_finished')
    return [{ type: 'trace', paths: writtenBy(part.record) }];
  const files = changesIn(part);
  return files.length === 0 ? [] : [{ type: 'remnant', files }];
}

function partOf(
  place: StateFolder,
  { file, at, bytes }: RecordOf<'bytes_set_aside'>,
  damage: Damage,
): readonly UndoRecord[] {
  const { fs, layout } = place;
  const path = `${layout.quarantine}/${file}`;
  if (fileKindAt(fs, path) !== 'file') {
    damage.unreadable.push(
      `${bytes} bytes that were cut off at byte ${at} are not in quarantine/${file} any more`,
    );
    return [];
  }
  // The copy is either of the whole journal or only of the part that was cut off.
  const isWhole = fs.stat(path).size > bytes;
  return readPart(place, file, isWhole ? at : 0, damage);
}

function readPart(
  { fs, layout }: StateFolder,
  file: string,
  start: number,
  damage: Damage,
): readonly UndoRecord[] {
  return withFile(fs, `${layout.quarantine}/${file}`, (fd) => {
    const parts = [...salvage(fs, fd, RUN_FORMAT, { start })];
    damage.readFrom.push(`quarantine/${file}`);
    const lost = parts.filter(({ kind }) => kind === 'line').length;
    if (lost > 0) {
      damage.unreadable.push(
        `${lost} of ${parts.length} lines in quarantine/${file} cannot be read; what only they say of files is not known`,
      );
    }
    return parts.flatMap((part) => recordsOf(part, true));
  });
}

/** A journal of which a repair could keep nothing. */
function fromSetAside(place: StateFolder, damage: Damage): UndoRecord[] {
  const { fs, layout } = place;
  const parts = readSetAside(fs, layout)?.parts ?? [];
  return parts
    .filter((part) => part.startsWith('history.jsonl'))
    .filter((part) => fileKindAt(fs, `${layout.quarantine}/${part}`) === 'file')
    .flatMap((part) => readPart(place, part, 0, damage));
}
