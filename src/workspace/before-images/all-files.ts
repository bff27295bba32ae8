/** All files of a record, which may itself list only the first of them. */
import { FileChange } from '../../schema/actions.ts';

/** @param more the blob with the files that did not fit into the record */
export function allFiles(
  {
    files,
    more,
  }: {
    readonly files: readonly FileChange[];
    readonly more?: { readonly blob: string } | undefined;
  },
  readBlob: (hash: string) => Uint8Array,
): readonly FileChange[] {
  if (more === undefined) return files;
  const rest: unknown = JSON.parse(Buffer.from(readBlob(more.blob)).toString('utf8'));
  return [...files, ...FileChange.array().parse(rest)];
}
