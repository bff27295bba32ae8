/** The journal of a conversation, record by record; takes no lock and changes nothing. */

import { CONVERSATION_FORMAT } from '../context-manager/run-format.ts';
import { pagesOf } from '../journal/read-journal.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { Located } from '../schema/records.ts';

/** As it is kept, and with its long texts. */
export interface ReadRecord {
  readonly stored: Located;
  readonly record: Located;
}

/** Where it cannot be read any further; `problem` is '' where that is its end. */
export interface ReadEnd {
  readonly offset: number;
  readonly problem: string;
}

export function* recordsIn(
  { fs, file }: { readonly fs: FileSystem; readonly file: string },
  readBack: (stored: Located) => unknown,
): Generator<ReadRecord, ReadEnd> {
  let end: ReadEnd = { offset: 0, problem: '' };
  for (const { records, next, problem } of pagesOf({ fs, format: CONVERSATION_FORMAT }, file)) {
    for (const stored of records) yield { stored, record: readBack(stored) as Located };
    end = { offset: next.offset, problem };
  }
  return end;
}
