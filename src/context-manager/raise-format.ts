/** Says in a journal of an earlier format that what follows is of this build's format. */
import { FORMAT_VERSION, type RecordOf } from '../schema/records.ts';

interface OpenJournal {
  readonly state: { readonly format: number };
  record(record: RecordOf<'format_raised'>): unknown;
}

/** The first record that is added: an older build must not take up a journal that it would read wrongly. */
export function raiseFormat(context: OpenJournal): void {
  const { format } = context.state;
  if (format < FORMAT_VERSION)
    context.record({ type: 'format_raised', from: format, to: FORMAT_VERSION });
}
