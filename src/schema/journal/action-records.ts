/** The records of one action: its intent, its start and its outcome. */
import * as z from 'zod';
import {
  ActionClass,
  ActionFacts,
  ActionStatus,
  Capability,
  Claim,
  FileChange,
  GivenUp,
  ProcessPlace,
  Touches,
} from '../actions.ts';
import { PARTS } from '../model/message-parts.ts';
import { recordSchema } from '../record-schema.ts';
import { StoredText } from '../text.ts';

/** Ids of the questions whose answers decided about the action; left out: none, or an earlier build. */
const Answered = z.array(z.string()).readonly();

export const ACTION_RECORDS = [
  recordSchema('action_intended', {
    id: z.string(),
    class: ActionClass,
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
    signature: z.string(),
    files: z.array(FileChange),
    answered: Answered.optional(),
    /** For an action that starts a program. */
    place: ProcessPlace.optional(),
  }),
  recordSchema('action_started', {
    id: z.string(),
    pid: z.number().int(),
    startTime: z.string(),
  }),
  recordSchema('action_finished', {
    id: z.string(),
    tool: z.string(),
    touches: Touches,
    does: Capability.optional(),
    /** The file, folder or command of the action; `null` in format 1, where the call contains it. */
    target: z.string().nullable(),
    signature: z.string(),
    callId: z.string(),
    status: ActionStatus,
    /** What the model is told. */
    result: StoredText,
    ...PARTS,
    resultHash: z.string(),
    facts: ActionFacts,
    /** Hashes after the action, if it changed or read files; `null`: no such file. */
    hashes: z.record(z.string(), z.string().nullable()),
    answered: Answered.optional(),
    /** The claim that the active subtask is done, or cannot be. */
    claim: Claim.optional(),
    /** The statement that the goal cannot be reached. */
    givesUp: GivenUp.optional(),
  }),
] as const;
