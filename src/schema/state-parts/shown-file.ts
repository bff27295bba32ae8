import * as z from 'zod';

/** A file whose text stands in a message, such as a question: whole, or the lines `from` to `to` (from 1) of it. */
export const ShownFile = z.object({
  /** Relative to the workspace, with `/`. */
  path: z.string(),
  /** sha256 of the whole file as it was shown. */
  hash: z.string(),
  from: z.number().int().optional(),
  to: z.number().int().optional(),
  /** The function that these lines are; its text itself was not shown. */
  name: z.string().optional(),
  /** Of an edit: the text with this hash, which must be shown as well, and what the edit says. */
  base: z.string().optional(),
});
export type ShownFile = z.infer<typeof ShownFile>;
