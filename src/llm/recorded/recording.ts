// The file format of recorded turns. `docs/internals/decisions.md` says what a recording is for.
import * as z from 'zod';
import { misuse, OPTION_NAMES, type TardigradeError } from '../../lib/errors.ts';
import { jsonIn } from '../../lib/json-value.ts';
import { takes } from '../../lib/takes.ts';
import { ToolCall } from '../../schema/model/messages.ts';
import { TurnStatus, Usage } from '../../schema/model/turn.ts';

/** Images are compared by their hash, as tools and schemas are. */
const PlainMessage = z.lazy(() =>
  z.discriminatedUnion('role', [
    z.strictObject({ role: z.literal('system'), content: z.string() }),
    z.strictObject({
      role: z.literal('user'),
      content: z.string(),
      images: z.array(z.strictObject({ sha256: z.string() })).optional(),
    }),
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
  ]),
);

/** The names are for people. */
const Hashed = z.strictObject({ sha256: z.string(), names: z.array(z.string()) });

export const RecordedRequest = z.lazy(() =>
  z.strictObject({
    /** How many leading messages equal those of the previous recorded turn. */
    keep: z.number().int().nonnegative(),
    messages: z.array(PlainMessage),
    tools: Hashed.nullable(),
    schema: Hashed.nullable(),
    temperature: z.number().nullable(),
    seed: z.number(),
  }),
);
export type RecordedRequest = z.infer<typeof RecordedRequest>;
export type RecordedMessage = z.infer<typeof PlainMessage>;

export const RecordedReply = z.lazy(() =>
  z.strictObject({
    content: z.string(),
    thinking: z.string().optional(),
    toolCalls: z.array(ToolCall).optional(),
    opaque: z.object({ provider: z.string(), blocks: z.unknown() }).optional(),
    reason: z.enum(['stop', 'tool_calls', 'length', 'refusal', 'other']),
    rawReason: z.string(),
    usage: Usage,
  }),
);
export type RecordedReply = z.infer<typeof RecordedReply>;

const RecordedFailure = z.lazy(() =>
  z.strictObject({
    status: TurnStatus,
    message: z.string(),
    hint: z.string(),
    option: z.enum(OPTION_NAMES).optional(),
    optionValue: z.string().optional(),
    command: z.array(z.string()).readonly().optional(),
    endsInCommand: z.literal(true).optional(),
  }),
);
export type RecordedFailure = z.infer<typeof RecordedFailure>;

export const RecordedTurn = z.lazy(() =>
  z.strictObject({
    /**
     * `exact`: everything is equal. `shape`: the roles are equal, and so is the newest message once numbers, paths and
     * times are normalised; for turns that contain facts of their machine.
     */
    match: z.enum(['exact', 'shape']),
    request: RecordedRequest,
    /** The answer up to its end, and how it failed if it did. */
    reply: RecordedReply.nullable(),
    failure: RecordedFailure.optional(),
  }),
);
export type RecordedTurn = z.infer<typeof RecordedTurn>;

/** One model that the run asked, with what a run that plays it must know. */
const RecordedModel = z.lazy(() =>
  z.strictObject({
    /** Provider and name of the key, for people; never a key itself. */
    by: z.string().optional(),
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
    /** Tokens: the window first requested; a run that plays it uses the same. */
    numCtx: z.number().int().positive().optional(),
  }),
);
export type RecordedModel = z.infer<typeof RecordedModel>;

export const Recording = z.lazy(() =>
  z.strictObject({
    format: z.literal(1),
    provider: z.string(),
    ...RecordedModel.unwrap().shape,
    /** The other models that the run asked, in the order of their use. */
    others: z.array(RecordedModel).optional(),
    /** The run that it belongs to: a run that continues appends to its own recording. */
    run: z.string().optional(),
    /** The window with which the model was really loaded, in tokens, if the provider reported it. */
    loadedWindow: z.number().optional(),
    turns: z.array(RecordedTurn),
  }),
);
export type Recording = z.infer<typeof Recording>;

/** The first line of a recording that grows line by line. */
export const RecordingHead = z.lazy(() =>
  z.strictObject({
    ...Recording.unwrap().omit({ turns: true, others: true, loadedWindow: true }).shape,
    format: z.literal(2),
  }),
);
export type RecordingHead = z.infer<typeof RecordingHead>;

/** A further line; `way`: the model of the following turns, when it is first used. */
export const RecordingLine = z.lazy(() =>
  z.union([
    RecordedTurn,
    z.strictObject({ loadedWindow: z.number() }),
    z.strictObject({ way: RecordedModel }),
  ]),
);
export type RecordingLine = z.infer<typeof RecordingLine>;

/**
 * Parses a recording file; `name` is for the message. It is one JSON object, or a head and one line per turn; a torn
 * last line is left out. Throws E_USAGE.
 */
export function parseRecording(text: string, name: string): Recording {
  takes('parseRecording', 'a text', text);
  const [first = '', ...lines] = text.split('\n');
  const head = jsonIn(first);
  if (head !== undefined && first.length < text.trimEnd().length)
    return wholeRecording(readAs(RecordingHead, head, name, 'line 1: '), lines, name);
  const value = jsonIn(text);
  if (value === undefined) throw unreadable(name, 'it is not JSON', new SyntaxError(name));
  return readAs(Recording, value, name, '');
}

function wholeRecording(head: RecordingHead, lines: readonly string[], name: string): Recording {
  const whole: Recording = { ...head, format: 1, turns: [] };
  const last = lines.findLastIndex((line) => line !== '');
  for (const [index, line] of lines.slice(0, last + 1).entries()) {
    const value = jsonIn(line);
    if (value === undefined && index === last) break;
    const entry = readAs(RecordingLine, value, name, `line ${index + 2}: `);
    if ('loadedWindow' in entry) whole.loadedWindow = entry.loadedWindow;
    else if ('way' in entry) whole.others = [...(whole.others ?? []), entry.way];
    else whole.turns.push(entry);
  }
  return whole;
}

function readAs<Value>(schema: z.ZodType<Value>, value: unknown, name: string, where: string) {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw unreadable(name, `${where}${z.prettifyError(parsed.error)}`, parsed.error);
}

const unreadable = (name: string, why: string, cause: unknown): TardigradeError =>
  misuse(
    `The recording ${name} cannot be read: ${why}`,
    'Give a file that was made by recording a run.',
    { cause },
  );
