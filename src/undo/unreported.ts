/** Finds what a run did to files that its records do not mention, from what else is left of it. */

import { RUN_FOLD } from '../context-manager/open-or-create.ts';
import { RUN_REPAIR } from '../context-manager/repair-records.ts';
import { RUN_FORMAT } from '../context-manager/run-format.ts';
import { createBlobStore } from '../journal/blobs/blobs.ts';
import type { StateFolder } from '../journal/layout.ts';
import { orphanBlobs } from '../journal/repair/orphan-blobs.ts';
import { readSnapshot } from '../journal/snapshot.ts';
import { dirname, join } from '../lib/files/absolute-paths.ts';
import { fitting, jsonIn } from '../lib/json-value.ts';
import { orNull } from '../lib/or-null.ts';
import { Manifest } from '../schema/journal/before-images.ts';
import type { JournalRecord, RecordOf } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { hashIfReadable } from '../workspace/files.ts';
import { planUndo } from './plan.ts';
import type { UndoRecord } from './remnants.ts';

const NAMED = 5;

/** One sentence each; none if the records are complete. `isDamaged`: some records are lost. */
export function unreportedText(
  place: StateFolder,
  records: readonly UndoRecord[],
  isDamaged: boolean,
): string[] {
  const commands = isDamaged ? openCommands(records) : [];
  const { fs, layout } = place;
  const blobs = createBlobStore(fs, layout.blobs);
  const { files, unseen } = planUndo(records, (hash) => blobs.read(hash));
  const known = [...files, ...unseen].map(({ path }) => path);
  const listed = new Set([...known, ...filesOfIntents(records)]);
  const seen = [...filesOfState(place, records), ...filesOfOutcomes(records)];
  return [
    ...[...new Set(seen)].filter((path) => !listed.has(path)).map(unknownBefore),
    ...changedSinceBeforeImage(place, records)
      .filter((path) => !listed.has(path))
      .map(unknownWhy),
    ...orphanWords(place, new Set(records.flatMap(blobsOfRemnant))),
    ...commands,
  ];
}

const unknownBefore = (path: string): string =>
  `what ${path} held before: the run changed it, and no record that can be read says how`;
const unknownWhy = (path: string): string =>
  `why ${path} is not as it was kept before a command: nothing is recorded after that`;

/** Files that an outcome reports as written. */
export const writtenBy = ({
  touches,
  status,
  hashes,
}: RecordOf<'action_finished'>): readonly string[] =>
  touches === 'files' && status === 'ok' ? Object.keys(hashes) : [];

/** The files that calls meant to write, also those that a call wrote unchanged and that need no undo. */
const filesOfIntents = (records: readonly UndoRecord[]): readonly string[] =>
  records.flatMap((record) =>
    record.type === 'action_intended' ? record.files.map(({ path }) => path) : [],
  );

const filesOfOutcomes = (records: readonly UndoRecord[]): readonly string[] =>
  records.flatMap((record) => {
    if (record.type === 'trace') return record.paths;
    return record.type === 'action_finished' ? writtenBy(record) : [];
  });

/** If a journal ends with the files that were kept before a command, that command may be lost. */
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

/** Files that the state knows as written and whose earlier content no record names. */
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

/** A truncated journal looks complete, but the blobs of the missing part are still there. */
function orphanWords({ fs, layout }: StateFolder, known: ReadonlySet<string>): string[] {
  const blobs = createBlobStore(fs, layout.blobs);
  // The planned contents of a change of several files are in the blobs too.
  const blobsIn = (record: JournalRecord): readonly string[] => [
    ...RUN_REPAIR.blobsIn(record),
    ...(record.type === 'action_intended' ? record.files.flatMap(({ after }) => after ?? []) : []),
  ];
  const blobsBehind = (hash: string): readonly string[] => {
    const read = jsonIn(orNull(() => blobs.read(hash).toString()) ?? '');
    return fitting(read, Manifest)?.packs.map(({ blob }) => blob) ?? [];
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

const blobsOfRemnant = (record: UndoRecord): readonly string[] =>
  record.type === 'remnant'
    ? record.files.flatMap(({ before, after }) => [before ?? [], after ?? []].flat())
    : [];

/** Commands whose end is in a lost part: their changes were never recorded. */
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
