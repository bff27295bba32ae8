/** Finds blobs that no journal names: nothing else tells what their content belonged to. */
import { join } from '../../lib/files/absolute-paths.ts';
import { fileKindAt, TEMPORARY_SUFFIX } from '../../lib/files/durable-files.ts';
import { withFile } from '../../lib/files/with-file.ts';
import { referencesIn } from '../blobs/offload.ts';
import { layoutIn, type StateFolder } from '../layout.ts';
import type { AnyRecord, RecordFormat } from '../record-format.ts';
import { salvage } from './salvage.ts';

export interface OrphanBlob {
  readonly hash: string;
  readonly bytes: number;
}

interface BlobSearch<R extends AnyRecord> extends StateFolder {
  readonly format: RecordFormat<R>;
  /** Blobs that a record names only by their sha256, and those that a blob names. */
  blobsIn(record: R): readonly string[];
  blobsBehind(hash: string): readonly string[];
}

export function orphanBlobs<R extends AnyRecord>(place: BlobSearch<R>): readonly OrphanBlob[] {
  const { fs, layout } = place;
  if (fileKindAt(fs, layout.blobs) !== 'directory') return [];
  const all = fs.readdir(layout.blobs).filter((name) => !name.endsWith(TEMPORARY_SUFFIX));
  const named = new Set<string>();
  // For a run that was set aside, `history` is its own journal, and the current one shares the blobs.
  const current = layoutIn(layout.root).history;
  const others = [layout.runs, layout.quarantine]
    .filter((folder) => fileKindAt(fs, folder) === 'directory')
    .flatMap((folder) => fs.readdir(folder).map((name) => join(folder, name)));
  for (const file of new Set([layout.history, current, ...others])) addNamed(place, file, named);
  for (const hash of [...named]) for (const one of place.blobsBehind(hash)) named.add(one);
  return all
    .filter((hash) => !named.has(hash))
    .map((hash) => ({ hash, bytes: fs.stat(join(layout.blobs, hash)).size }));
}

function addNamed<R extends AnyRecord>(
  { fs, format, blobsIn }: BlobSearch<R>,
  file: string,
  named: Set<string>,
): void {
  if (fileKindAt(fs, file) !== 'file') return;
  withFile(fs, file, (fd) => {
    for (const part of salvage(fs, fd, format)) {
      if (part.kind !== 'record') continue;
      for (const { blob } of referencesIn(part.record)) named.add(blob);
      for (const blob of blobsIn(part.record)) named.add(blob);
    }
  });
}
