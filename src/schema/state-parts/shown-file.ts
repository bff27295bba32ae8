import * as z from 'zod';

/** A file whose text a message contains, such as a question: whole, or its lines `from` to `to` (from 1). */
export const ShownFile = z.object({
  /** Relative to the workspace, with `/`. */
  path: z.string(),
  /** sha256 of the whole file as it was shown. */
  hash: z.string(),
  from: z.number().int().optional(),
  to: z.number().int().optional(),
  /** The function that these lines are; its text itself was not shown. */
  name: z.string().optional(),
  /** For an edit: the hash of the text that it changes, which must be shown as well. */
  base: z.string().optional(),
});
export type ShownFile = z.infer<typeof ShownFile>;
