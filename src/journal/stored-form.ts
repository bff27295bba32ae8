/** What of a record goes to disk: long strings as blobs where the schema has room for them. */
import { TardigradeError } from '../lib/errors.ts';
import { JournalRecord } from '../schema/records.ts';
import { type BlobStore, sha256 } from './blobs.ts';
import { type Path, spill } from './spill.ts';

/**
 * What of a record goes to disk. A long string stays in its line where the schema has no room for
 * a reference (the goal of `run_opened`, say).
 */
export function storedForm(
  record: JournalRecord,
  blobs: BlobStore,
): { readonly stored: JournalRecord; readonly texts: ReadonlyMap<string, string> } {
  const inline: Path[] = [];
  const ports = { hash: sha256, isKept: blobs.has };
  for (;;) {
    const { stored, texts } = spill(record, inline, ports);
    const checked = JournalRecord.safeParse(stored);
    if (checked.success) return { stored: stored as JournalRecord, texts };
    const paths = checked.error.issues.map((issue) => issue.path);
    const known = inline.length;
    inline.push(...paths.filter((path) => !inline.some((other) => isSamePath(other, path))));
    if (texts.size === 0 || inline.length === known) {
      const [issue] = checked.error.issues;
      throw internal(
        `${record.type} does not fit its schema: ${issue?.path.join('.')} ${issue?.message}`,
      );
    }
  }
}

const isSamePath = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((key, index) => key === other[index]);

export const internal = (what: string): TardigradeError =>
  new TardigradeError('E_INTERNAL', `Internal error: ${what}.`, 'Please report this.');
