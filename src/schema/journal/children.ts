/** The records of subtasks that are runs of their own. */
import * as z from 'zod';
import { Usage } from '../model/turn.ts';
import { StoredText } from '../text.ts';
import { RunId } from './origin.ts';

export const CHILD_RECORDS = [
  /** Written before anything is created for it. */
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
    /** Left out if it did not do its subtask. */
    status: z.enum(['completed', 'unverified']).optional(),
    /** What its model says about it, or why it is not done. */
    summary: z.string(),
    turns: z.number().int(),
    rounds: z.number().int(),
    usage: Usage,
    cost: z.object({ usd: z.number(), unknownTurns: z.number().int() }).optional(),
  }),
  /** Its changes are in the workspace; or none of them are, and its subtask is done again there. */
  z.object({
    type: z.literal('child_joined'),
    subtask: z.string(),
    /** Left out if nothing was taken from it. */
    status: z.enum(['completed', 'unverified']).optional(),
    /** What its model says about it, or why it was not taken. */
    summary: z.string(),
    files: z.array(z.string()),
  }),
  /** In the child's journal: everything above was said and done in the parent. */
  z.object({ type: z.literal('child_begun'), subtask: z.string() }),
] as const;
