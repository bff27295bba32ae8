/** Decides whether a folder without a current journal had a run: then its journal is lost, not absent. */
import { basename } from '../lib/files/absolute-paths.ts';
import { fileKindAt, TEMPORARY_SUFFIX } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { Layout } from './layout.ts';
import { journalOfRun } from './runs/goal-id.ts';
import { readSnapshot } from './snapshot.ts';

/**
 * Files that exist only if there was a journal. None if a person has set the lost one aside, and none while
 * goals are being switched, because the journal is then among those of other goals.
 */
export function tracesOfLost(fs: FileSystem, layout: Layout): readonly string[] {
  if (fileKindAt(fs, layout.setAside) !== null) return [];
  const reading = readSnapshot(fs, layout);
  const isStored =
    reading.kind === 'ok'
      ? fileKindAt(fs, journalOfRun(layout, reading.snapshot.run)) === 'file'
      : fileKindAt(fs, layout.runs) === 'directory' &&
        fs.readdir(layout.runs).some((name) => name.endsWith('.jsonl'));
  return isStored ? [] : tracesOfRun(fs, layout);
}

/** All of these are created after the first record. The lock proves nothing, because it is taken earlier. */
function tracesOfRun(fs: FileSystem, layout: Layout): readonly string[] {
  const { state, reserve, kept, loops, log, ledger } = layout;
  const files = [state, reserve, kept, loops, log, ledger].filter(
    (path) => fileKindAt(fs, path) !== null,
  );
  const hasBlobs =
    fileKindAt(fs, layout.blobs) === 'directory' &&
    fs.readdir(layout.blobs).some((name) => !name.endsWith(TEMPORARY_SUFFIX));
  return [
    ...[...files, ...(hasBlobs ? [layout.blobs] : [])].map((path) => basename(path)),
    ...savedJournals(fs, layout),
  ];
}

/** Journals that were removed during a run and then saved; paths below the folder, with `/`. */
export function savedJournals(fs: FileSystem, { quarantine }: Layout): readonly string[] {
  if (fileKindAt(fs, quarantine) !== 'directory') return [];
  const names = fs.readdir(quarantine).filter((name) => SAVED.test(name));
  return names.map((name) => `${basename(quarantine)}/${name}`);
}

/** The names that `saveJournal` gives; a caller may have chosen the id of its run. */
const SAVED = /^history\.[\w-]{1,64}\.jsonl(?:\.\d+)?$/;
