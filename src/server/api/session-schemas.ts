/** Schemas of conversations: requests and answers. */
import * as z from 'zod';
import { Usage } from '../../schema/model/turn.ts';
import { BoundedText, Count, MessageText, MODEL, Time } from './basics.ts';
import { Question } from './run-schemas.ts';

export const SessionBody = z.strictObject({
  workspacePath: BoundedText(4096),
  ...MODEL,
  name: BoundedText(200).optional(),
  toolMode: z.enum(['auto', 'native', 'json']).optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTurns: z.number().int().min(1).max(10_000).optional(),
  systemPrompt: z.string().max(200_000).optional(),
});
export type SessionBody = z.infer<typeof SessionBody>;

const SESSION = {
  id: z.string(),
  number: z.number().int().nullable(),
  name: z.string().nullable(),
  workspacePath: z.string(),
};

export const SessionBegun = z.object({ ...SESSION, model: z.string() });
export type SessionBegun = z.infer<typeof SessionBegun>;
export const SessionSummary = z.object({
  ...SESSION,
  /** `idle`, `working`, `waiting` for an answer; `closed`: no process holds it, and a message starts one. */
  state: z.enum(['idle', 'working', 'waiting', 'closed']),
  lastAt: Time,
});
export type SessionSummary = z.infer<typeof SessionSummary>;
export const Sessions = z.object({ sessions: z.array(SessionSummary) });
export const SessionDetail = z.object({
  ...SessionSummary.shape,
  model: z.string(),
  messages: Count,
  /** True if a message was cut off; resuming finishes it. */
  isOpen: z.boolean(),
  pendingApprovals: z.array(Question),
  commands: z
    .array(z.object({ text: z.string(), about: z.string() }))
    .describe('What may be sent to its commands'),
  lastEventId: z.string(),
  usage: Usage,
  costUsd: z.number().nullable().describe('Null if no price is known'),
  unpricedTurns: Count,
});
export type SessionDetail = z.infer<typeof SessionDetail>;
export const SessionResume = z.strictObject({
  workspacePath: BoundedText(4096),
  ...MODEL,
  logFile: BoundedText(4096)
    .optional()
    .describe('The log of another program below a root: its messages begin a new conversation'),
});
export type SessionResume = z.infer<typeof SessionResume>;
export const SessionResumed = z.object({
  ...SessionBegun.shape,
  messages: Count,
  isOpen: z.boolean(),
  pendingApprovals: z.array(Question),
});
export type SessionResumed = z.infer<typeof SessionResumed>;
export const ChatBody = z.strictObject({ message: MessageText });
export const ChatTaken = z.object({ turn: Count.describe('The number of the message, from 1') });
export const Transcript = z.object({ lines: z.array(z.looseObject({ type: z.string() })) });
export const SessionUndo = z.strictObject({
  /** Every message; left out: only the last one that changed files. */
  all: z.boolean().optional(),
  path: BoundedText(4096).optional(),
  dryRun: z.boolean().optional(),
});
export type SessionUndo = z.infer<typeof SessionUndo>;
/** A slash command, as typed in a terminal. */
export const CommandBody = z.strictObject({ text: BoundedText(200_000) });
export const CommandAnswer = z.object({ said: z.string() });
