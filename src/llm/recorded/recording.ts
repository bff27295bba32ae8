// The file form of recorded turns. `docs/decisions.md` says what a recording is for.
import { z } from 'zod';
import { TardigradeError } from '../../schema/errors.ts';
import { ToolCall } from '../../schema/messages.ts';
import { TurnStatus, Usage } from '../../schema/turn.ts';

const PlainMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({ role: z.literal('user'), content: z.string() }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string(),
    thinking: z.string().optional(),
    toolCalls: z.array(ToolCall).optional(),
    opaque: z.object({ provider: z.string(), blocks: z.unknown() }).optional(),
  }),
  z.strictObject({
    role: z.literal('tool'),
    content: z.string(),
    toolCallId: z.string(),
    toolName: z.string(),
  }),
]);

/** Tools and schemas are compared by their hash; the names are for people. */
const Hashed = z.strictObject({ sha256: z.string(), names: z.array(z.string()) });

export const RecordedRequest = z.strictObject({
  /** How many messages are those the recorded turn before had at the same places. */
  keep: z.number().int().nonnegative(),
  messages: z.array(PlainMessage),
  tools: Hashed.nullable(),
  schema: Hashed.nullable(),
  temperature: z.number(),
  seed: z.number(),
});
export type RecordedRequest = z.infer<typeof RecordedRequest>;

export const RecordedReply = z.strictObject({
  content: z.string(),
  thinking: z.string().optional(),
  toolCalls: z.array(ToolCall).optional(),
  opaque: z.object({ provider: z.string(), blocks: z.unknown() }).optional(),
  reason: z.enum(['stop', 'tool_calls', 'length', 'refusal', 'other']),
  rawReason: z.string(),
  usage: Usage,
});
export type RecordedReply = z.infer<typeof RecordedReply>;

const RecordedFailure = z.strictObject({
  status: TurnStatus,
  message: z.string(),
  hint: z.string(),
});

export const RecordedTurn = z.strictObject({
  /**
   * `exact`: everything is equal. `shape`: the roles are, and the newest message is after numbers,
   * paths and times were made alike; for turns that show facts of the machine they ran on.
   */
  match: z.enum(['exact', 'shape']),
  request: RecordedRequest,
  /** What was answered before it ended, and how it failed if it did. */
  reply: RecordedReply.nullable(),
  failure: RecordedFailure.optional(),
});
export type RecordedTurn = z.infer<typeof RecordedTurn>;

export const Recording = z.strictObject({
  format: z.literal(1),
  provider: z.string(),
  model: z.string(),
  info: z.strictObject({
    digest: z.string().nullable(),
    contextWindow: z.number().nullable(),
    capabilities: z.strictObject({
      tools: z.boolean(),
      schema: z.boolean(),
      thinking: z.boolean(),
    }),
  }),
  /** The run it is of: a run that goes on appends to its own recording. */
  run: z.string().optional(),
  /** Tokens the model was really loaded with, where the provider told. */
  loadedWindow: z.number().optional(),
  turns: z.array(RecordedTurn),
});
export type Recording = z.infer<typeof Recording>;

/** Reads the text of a recording file; `name` is for the message. Throws E_USAGE. */
export function parseRecording(text: string, name: string): Recording {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable(name, 'it is no JSON', cause);
  }
  const parsed = Recording.safeParse(value);
  if (!parsed.success) throw unreadable(name, z.prettifyError(parsed.error), parsed.error);
  return parsed.data;
}

const unreadable = (name: string, why: string, cause: unknown): TardigradeError =>
  new TardigradeError(
    'E_USAGE',
    `The recording ${name} cannot be read: ${why}`,
    'Give a file that was made by recording a run.',
    { cause },
  );
