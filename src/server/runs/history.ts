/** One page of the events in a run's journal. */
import { isEarlier, type NumberedEvent, seqOf } from '../../live/recent-events.ts';
import type { HistoryPage } from '../api/run-schemas.ts';
import type { JournalEvents } from '../streams/journal-events.ts';

export interface HistoryQuery {
  /** The id of the event after which the page begins; `null`: the first. */
  readonly after: string | null;
  readonly limit: number;
  /** Whether the records themselves are included. */
  readonly records: boolean;
}

/** @param breathe yields to other work between two pages of the journal */
export async function historyOf(
  journal: JournalEvents,
  { after, limit, records }: HistoryQuery,
  breathe: () => Promise<void>,
): Promise<HistoryPage> {
  const from = after ?? '0.0';
  const events: NumberedEvent[] = [];
  for (const page of journal.after(Math.max(0, seqOf(from) - 1))) {
    await breathe();
    for (const one of page) {
      const isMeant = records || one.event.type !== 'record';
      if (!isMeant || !isEarlier(from, one.id)) continue;
      if (events.length === limit) return { events, next: events.at(-1)?.id ?? null };
      events.push(one);
    }
  }
  return { events, next: null };
}
