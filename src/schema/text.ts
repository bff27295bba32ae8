import * as z from 'zod';

/** Strings longer than this many UTF-16 units leave their record and become a blob. */
export const OFFLOAD_LENGTH = 8192;

/** Where a long string is stored: `blobs/<blob>`, with its length and first characters for display. */
export const BlobRef = z.object({
  blob: z.string().regex(/^[0-9a-f]{64}$/),
  length: z.number().int().nonnegative(),
  head: z.string(),
});
export type BlobRef = z.infer<typeof BlobRef>;

/** A string as it stands in the journal: itself, or a reference to its blob. */
export const StoredText = z.union([z.string(), BlobRef]);
export type StoredText = z.infer<typeof StoredText>;
