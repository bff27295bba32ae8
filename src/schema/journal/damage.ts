import * as z from 'zod';
import { recordSchema } from '../record-schema.ts';

/** A range of bytes of the journal, its end exclusive, and how many records it held. */
export const DamagedSpan = z.object({
  from: z.number().int(),
  to: z.number().int(),
  records: z.number().int(),
});
export type DamagedSpan = z.infer<typeof DamagedSpan>;

/** A repair left these bytes in place: the state does not need them, but nobody can read them. */
export const BytesUnreadable = recordSchema('bytes_unreadable', {
  optional: z.literal(true),
  spans: z.array(DamagedSpan),
  /** sha256 of the blob with the state before this record. */
  state: z.string(),
});

/** A repair cut off these bytes; `file` in `quarantine/` contains them. */
export const BytesSetAside = recordSchema('bytes_set_aside', {
  optional: z.literal(true),
  /** The offset where the bytes were. */
  at: z.number().int(),
  bytes: z.number().int(),
  file: z.string(),
});

export const DAMAGE_RECORDS = [BytesUnreadable, BytesSetAside] as const;
