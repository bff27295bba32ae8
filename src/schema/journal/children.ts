/** The records of subtasks that are runs of their own. */
import * as z from 'zod';
import { TurnStatus, Usage } from '../model/turn.ts';
import { recordSchema } from '../record-schema.ts';
import { StoredText } from '../text.ts';
import { RunId } from './origin.ts';
import { PauseReason } from './record-parts.ts';

/** What the child has used since it began. */
const USED = {
  turns: z.number().int(),
  /** Rounds in which the model was asked. */
  rounds: z.number().int(),
  /** Milliseconds. */
  workedMs: z.number().optional(),
  usage: Usage,
  cost: z.object({ usd: z.number(), unknownTurns: z.number().int() }).optional(),
};

export const ChildPause = z.object({
  why: PauseReason,
  detail: z.string(),
  /** The next step for the user, if there is one besides resuming. */
  hint: z.string().optional(),
  /** How the last turn ended, if that is the reason. */
  status: TurnStatus.optional(),
});
export type ChildPause = Readonly<z.infer<typeof ChildPause>>;

export const CHILD_RECORDS = [
  /** Written before anything is created for the child, and again if its copy begins with other files. */
  recordSchema('child_started', {
    subtask: z.string(),
    child: RunId,
    /** JSON: the sha256 of each file that its copy begins with, by path; then ` x` if its owner may run it. */
    files: StoredText,
    /** The subtask began before; its copy begins with other files. */
    again: z.literal(true).optional(),
  }),
  /** No process works on the child now. */
  recordSchema('child_rested', {
    subtask: z.string(),
    ...USED,
    /** Why the child cannot continue; left out when it can. */
    paused: ChildPause.optional(),
  }),
  recordSchema('child_ended', {
    subtask: z.string(),
    /** Left out if the child did not do its subtask. */
    status: z.enum(['completed', 'unverified']).optional(),
    /** The words of the child's model about the subtask, or why it is not done. */
    summary: z.string(),
    ...USED,
  }),
  /** The child's changes are in the workspace; or none of them are, and its subtask is done again there. */
  recordSchema('child_joined', {
    subtask: z.string(),
    /** Left out if nothing was taken from the child. */
    status: z.enum(['completed', 'unverified']).optional(),
    /** The words of the child's model about the subtask, or why its changes were not taken. */
    summary: z.string(),
    files: z.array(z.string()),
  }),
  /** In the child's journal: everything above was said and done in the parent. */
  recordSchema('child_begun', { subtask: z.string() }),
] as const;
