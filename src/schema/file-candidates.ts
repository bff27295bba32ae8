/** Several writings of one file: what checks in the scratch copy showed of each, and which was taken. */
import * as z from 'zod';
import { StoredText } from './text.ts';

const CANDIDATE = {
  subtask: z.string(),
  path: z.string(),
  /** Counts the writings of this file in this subtask from 0. */
  index: z.number().int(),
};

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
