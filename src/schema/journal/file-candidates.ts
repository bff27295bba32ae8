/** Versions of one file: what trials in the scratch copy showed of each, and which of several was chosen. */
import * as z from 'zod';
import { recordSchema } from '../record-schema.ts';
import { StoredText } from '../text.ts';

const CANDIDATE = {
  subtask: z.string(),
  path: z.string(),
  /** Counts the versions since the file was requested or last written, from 0. */
  index: z.number().int(),
};

/** The check that must pass before any other is made. */
export const PARSES = 'it parses';

/** The content differs from the file's. */
export const CHANGES = 'it changes the file';

/** The program contains the figures of the goal. It may express them in another form, so they are asked for once. */
export const FIGURES = 'figures of the goal';

export const FILE_CANDIDATE_RECORDS = [
  recordSchema('file_candidate_shown', {
    ...CANDIDATE,
    /** The whole content. */
    text: StoredText,
    showed: z.array(z.object({ check: z.string(), failed: z.boolean(), detail: z.string() })),
  }),
  recordSchema('file_candidate_taken', {
    ...CANDIDATE,
    why: z.string(),
  }),
] as const;
