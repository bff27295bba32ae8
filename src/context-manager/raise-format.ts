/** Records in a journal of an earlier format that later records have this build's format. */
import { FORMAT_VERSION, type RecordOf } from '../schema/records.ts';

interface OpenJournal {
  readonly state: { readonly format: number };
  record(record: RecordOf<'format_raised'>): unknown;
}

/** This must be the first added record: an older build must not continue a journal that it would misread. */
export function raiseFormat(context: OpenJournal): void {
  const { format } = context.state;
  if (format < FORMAT_VERSION)
    context.record({ type: 'format_raised', from: format, to: FORMAT_VERSION });
}
