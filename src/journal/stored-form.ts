/** The stored form of a record: long strings become blobs if the schema allows a reference. */
import { TardigradeError } from '../lib/errors.ts';
import { sha256 } from '../lib/sha256.ts';
import type { BlobStore } from './blobs/blobs.ts';
import { offload } from './blobs/offload.ts';
import type { AnyRecord, FieldPath, RecordFormat } from './record-format.ts';

/**
 * Builds the stored form. A long string stays in its line if the schema allows no reference there, such as the
 * goal of `run_opened`.
 */
export function storedForm<R extends AnyRecord>(
  record: R,
  { misfits }: Pick<RecordFormat<R>, 'misfits'>,
  blobs: BlobStore,
): { readonly stored: R; readonly texts: ReadonlyMap<string, string> } {
  const inline: FieldPath[] = [];
  const ports = { hash: sha256, isKept: blobs.has };
  for (;;) {
    const { stored, texts } = offload(record, inline, ports);
    const found = misfits(stored);
    if (found.length === 0) return { stored: stored as R, texts };
    const paths = found.map(({ path }) => path);
    const known = inline.length;
    inline.push(...paths.filter((path) => !inline.some((other) => isSamePath(other, path))));
    if (texts.size === 0 || inline.length === known) {
      const [issue] = found;
      throw internal(
        `${record.type} does not fit its schema: ${issue?.path.join('.')} ${issue?.message}`,
      );
    }
  }
}

const isSamePath = (one: FieldPath, other: FieldPath): boolean =>
  one.length === other.length && one.every((key, index) => key === other[index]);

export const internal = (what: string): TardigradeError =>
  new TardigradeError('E_INTERNAL', `Internal error: ${what}.`, 'Please report this.');
