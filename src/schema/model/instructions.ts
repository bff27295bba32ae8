import * as z from 'zod';
import { StoredText } from '../text.ts';

/** The project's instruction files, as they were when the run began. */
export const Instructions = z.object({
  /** The nearest to the workspace comes last; `path` is relative to the workspace. */
  files: z.array(
    z.object({
      path: z.string(),
      text: StoredText,
      /** Bytes of the whole file, if the text is only a part of it. */
      of: z.number().int().optional(),
    }),
  ),
  /** How many characters at the end of the system prompt are about them. */
  told: z.number().int(),
});
export type Instructions = z.infer<typeof Instructions>;
