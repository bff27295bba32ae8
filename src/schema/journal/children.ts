/** The records of subtasks that are runs of their own. */
import * as z from 'zod';
import { Usage } from '../model/turn.ts';
import { StoredText } from '../text.ts';
import { RunId } from './origin.ts';

export const CHILD_RECORDS = [
  /** Written before anything is made of it. */
  z.object({
    type: z.literal('child_started'),
    subtask: z.string(),
    child: RunId,
    /** JSON: the sha256 of each file that its copy begins with, by path. */
    files: StoredText,
  }),
  z.object({
    type: z.literal('child_ended'),
    subtask: z.string(),
    /** Left out where it did not do its subtask. */
    status: z.enum(['completed', 'unverified']).optional(),
    /** What its model says of it, or why it is not done. */
    summary: z.string(),
    turns: z.number().int(),
    rounds: z.number().int(),
    usage: Usage,
    cost: z.object({ usd: z.number(), unknownTurns: z.number().int() }).optional(),
  }),
  /** What it changed is in the workspace; or nothing of it is, and its subtask is done again there. */
  z.object({
    type: z.literal('child_joined'),
    subtask: z.string(),
    /** Left out where nothing of it was taken. */
    status: z.enum(['completed', 'unverified']).optional(),
    /** What its model says of it, or why it was not taken. */
    summary: z.string(),
    files: z.array(z.string()),
  }),
  /** In the journal of the child: what stands above was said and done in the run that began it. */
  z.object({ type: z.literal('child_begun'), subtask: z.string() }),
] as const;
