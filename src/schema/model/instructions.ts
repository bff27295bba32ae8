import * as z from 'zod';
import { StoredText } from '../text.ts';

/** What a project tells those who work on it, as it was when the run began. */
export const Instructions = z.object({
  /** The nearest to the workspace last; `path` from there on. */
  files: z.array(
    z.object({
      path: z.string(),
      text: StoredText,
      /** Bytes of the whole file, where the text is only a part of it. */
      of: z.number().int().optional(),
    }),
  ),
  /** Characters at the end of the system prompt that tell of them. */
  told: z.number().int(),
});
export type Instructions = z.infer<typeof Instructions>;
