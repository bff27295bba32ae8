/** What the records of a run do not tell of its files, seen from what else is left of it. */

import { dirname, join } from 'node:path';
import { RUN_FOLD } from '../context-manager/open-or-create.ts';
import { RUN_REPAIR } from '../context-manager/repair-records.ts';
import { RUN_FORMAT } from '../context-manager/run-format.ts';
import { createBlobStore } from '../journal/blobs/blobs.ts';
import type { StateFolder } from '../journal/layout.ts';
import { orphanBlobs } from '../journal/repair/orphan-blobs.ts';
import { readSnapshot } from '../journal/snapshot.ts';
import { Manifest } from '../schema/journal/before-images.ts';
import type { JournalRecord, RecordOf } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { hashIfReadable } from '../workspace/files.ts';
import { planUndo } from './plan.ts';
import type { UndoRecord } from './remnants.ts';

const NAMED = 5;

/** One sentence each; none where the records tell it all. `isDamaged`: some of them are lost. */
export function unreportedText(
  place: StateFolder,
  records: readonly UndoRecord[],
  isDamaged: boolean,
): string[] {
  const commands = isDamaged ? openCommands(records) : [];
  const { fs, layout } = place;
  const blobs = createBlobStore(fs, layout.blobs);
  const { files } = planUndo(records, (hash) => blobs.read(hash));
  const told = new Set(files.map(({ path }) => path));
  const seen = [...filesOfState(place, records), ...filesOfOutcomes(records)];
  return [
    ...[...new Set(seen)].filter((path) => !told.has(path)).map(unknownBefore),
    ...changedSinceBeforeImage(place, records)
      .filter((path) => !told.has(path))
      .map(unknownWhy),
    ...orphanWords(place, new Set(records.flatMap(blobsOfRemnant))),
    ...commands,
  ];
}

const unknownBefore = (path: string): string =>
  `what ${path} held before: the run changed it, and no record that can be read says how`;
const unknownWhy = (path: string): string =>
  `why ${path} is not as it was kept before a command: nothing is recorded after that`;

/** Files that an outcome says were written. */
export const writtenBy = ({
  touches,
  status,
  hashes,
}: RecordOf<'action_finished'>): readonly string[] =>
  touches === 'files' && status === 'ok' ? Object.keys(hashes) : [];

const filesOfOutcomes = (records: readonly UndoRecord[]): readonly string[] =>
  records.flatMap((record) => {
    if (record.type === 'trace') return record.paths;
    return record.type === 'action_finished' ? writtenBy(record) : [];
  });

/** A journal that ends with the files kept before a command may have lost that command. */
function changedSinceBeforeImage(
  { fs, layout }: StateFolder,
  records: readonly UndoRecord[],
): string[] {
  const last = records.findLast(({ type }) => !AFTER_THE_RUN.has(type));
  if (last?.type !== 'files_kept') return [];
  const blobs = createBlobStore(fs, layout.blobs);
  if (!blobs.has(last.manifest)) return [];
  const { data } = Manifest.safeParse(JSON.parse(blobs.read(last.manifest).toString()));
  const workspace = dirname(layout.root);
  return (data?.files ?? [])
    .filter(({ path, hash }) => hashIfReadable(fs, join(workspace, path)) !== hash)
    .map(({ path }) => path);
}

const AFTER_THE_RUN: ReadonlySet<string> = new Set([
  ...['bytes_set_aside', 'bytes_unreadable', 'remnant', 'trace'],
  ...['undo_started', 'file_restored', 'undo_finished'],
]);

/** The state has seen files written of which no record says what they held. */
function filesOfState(
  { fs, layout }: StateFolder,
  records: readonly UndoRecord[],
): readonly string[] {
  const reading = readSnapshot<RunState>(fs, layout);
  if (reading.kind !== 'ok' || reading.snapshot.schema !== RUN_FOLD.schema) return [];
  const { run, state } = reading.snapshot;
  const opened = records.find(({ type }) => type === 'run_opened');
  if (opened?.type === 'run_opened' && opened.run !== run) return [];
  const written = Object.entries(state.files).filter(([, { isOwn }]) => isOwn);
  return [...written.map(([path]) => path), ...Object.keys(state.commandChanges.files)];
}

/** A journal that ends earlier than it did looks whole; the blobs of what is missing still lie there. */
function orphanWords({ fs, layout }: StateFolder, known: ReadonlySet<string>): string[] {
  const blobs = createBlobStore(fs, layout.blobs);
  // What a change of several files was to write lies in the blobs too.
  const blobsIn = (record: JournalRecord): readonly string[] => [
    ...RUN_REPAIR.blobsIn(record),
    ...(record.type === 'action_intended' ? record.files.flatMap(({ after }) => after ?? []) : []),
  ];
  const blobsBehind = (hash: string): readonly string[] => {
    if (!blobs.has(hash)) return [];
    try {
      const { data } = Manifest.safeParse(JSON.parse(blobs.read(hash).toString()));
      return data?.packs.map(({ blob }) => blob) ?? [];
    } catch {
      return [];
    }
  };
  const orphans = orphanBlobs({ fs, layout, format: RUN_FORMAT, blobsIn, blobsBehind }).filter(
    ({ hash }) => !known.has(hash),
  );
  const named = orphans
    .slice(0, NAMED)
    .map(({ hash, bytes }) => `.agent_context/blobs/${hash} (${bytes} bytes)`);
  const more = orphans.length > NAMED ? [`${orphans.length - NAMED} more files beside it`] : [];
  return [...named, ...more].map(
    (what) => `which file held ${what}: no record names it. If something is missing, look there`,
  );
}

/** What a line still tells of files, though it is no record any more. */
const blobsOfRemnant = (record: UndoRecord): readonly string[] =>
  record.type === 'remnant'
    ? record.files.flatMap(({ before, after }) => [before ?? [], after ?? []].flat())
    : [];

/** The end of a command is in a part that is lost: what it changed was never written down. */
function openCommands(records: readonly UndoRecord[]): string[] {
  const open = new Map<string, string>();
  for (const record of records) {
    if (record.type === 'action_intended') {
      const { cmd } = record.args as { readonly cmd?: unknown };
      if (typeof cmd === 'string') open.set(record.id, cmd);
    } else if (record.type === 'action_finished' || record.type === 'check_ran') {
      open.delete(record.id ?? '');
    }
  }
  return [...open.values()].map(
    (cmd) => `what this command changed, since its end is not recorded: ${cmd}`,
  );
}
