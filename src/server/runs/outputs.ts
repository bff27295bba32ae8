/**
 * The full output of a call, in pieces: the stored text if more was stored than the model got, else what the model got.
 */
import type { OutputPiece } from '../api/run-schemas.ts';
import { unknownRefusal } from '../http/problem.ts';
import type { JournalEvents, KeptText } from '../streams/journal-events.ts';

const MAX = 200_000;

export interface OutputQuery {
  /** The id of the action. */
  readonly action: string;
  /** Characters before the piece. */
  readonly from: number;
}

/** Throws if there is no such call. @param breathe yields to other work between two pages */
export async function outputOf(
  journal: JournalEvents,
  { action, from }: OutputQuery,
  breathe: () => Promise<void>,
): Promise<OutputPiece> {
  let shown: KeptText | null = null;
  let whole: KeptText | null = null;
  for (const records of journal.records()) {
    for (const record of records) {
      if (record.type === 'action_finished' && record.id === action) shown = record.result;
      if (record.type !== 'note' || record.kind !== 'full_result') continue;
      const { id, blob } = record.data;
      if (id === action && typeof blob === 'string') whole = { blob };
    }
    await breathe();
  }
  const kept = whole === null ? null : journal.textOf(whole);
  const text = kept ?? (shown === null ? null : journal.textOf(shown));
  if (text === null) throw unknownRefusal('such call, or what it gave is gone', 'GET its history.');
  const end = Math.min(text.length, from + MAX);
  const next = end < text.length ? end : null;
  return { action, from, text: text.slice(from, end), total: text.length, next };
}
