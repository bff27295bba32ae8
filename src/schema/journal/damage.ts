import * as z from 'zod';

/** Bytes of the journal, from the first to the one behind the last, and how many records they were. */
export const DamagedSpan = z.object({
  from: z.number().int(),
  to: z.number().int(),
  records: z.number().int(),
});
export type DamagedSpan = z.infer<typeof DamagedSpan>;

/** A repair left these bytes where they are: the state does not need them, but nobody can read them. */
export const BytesUnreadable = z.object({
  type: z.literal('bytes_unreadable'),
  optional: z.literal(true),
  spans: z.array(DamagedSpan),
  /** sha256 of the blob with the state before this record. */
  state: z.string(),
});

/** A repair cut these bytes off; what can be read of them is read from `file` in `quarantine/`. */
export const BytesSetAside = z.object({
  type: z.literal('bytes_set_aside'),
  optional: z.literal(true),
  /** Where they stood. */
  at: z.number().int(),
  bytes: z.number().int(),
  file: z.string(),
});

export const DAMAGE_RECORDS = [BytesUnreadable, BytesSetAside] as const;
