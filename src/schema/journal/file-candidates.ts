/** Writings of one file: what trials in the scratch copy showed of each, and which of several was taken. */
import * as z from 'zod';
import { StoredText } from '../text.ts';

const CANDIDATE = {
  subtask: z.string(),
  path: z.string(),
  /** Counts the writings since the file was asked for or written last, from 0. */
  index: z.number().int(),
};

/** The check without which no other one is made. */
export const PARSES = 'it parses';

/** It is another content than the file holds. */
export const CHANGES = 'it changes the file';

/** The figures of the goal stand in it. A program may have them in another form, so they are asked for once. */
export const FIGURES = 'figures of the goal';

export const FILE_CANDIDATE_RECORDS = [
  z.object({
    ...{ type: z.literal('file_candidate_shown'), ...CANDIDATE },
    /** The whole content. */
    text: StoredText,
    showed: z.array(z.object({ check: z.string(), failed: z.boolean(), detail: z.string() })),
  }),
  z.object({
    ...{ type: z.literal('file_candidate_taken'), ...CANDIDATE },
    why: z.string(),
  }),
] as const;
