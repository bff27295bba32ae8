/**
 * The messages of a live channel: one JSON text per line. The first three lines prove who speaks; then a watcher sends
 * requests, and the owner of the work sends reports.
 */
import * as z from 'zod';
import { jsonIn } from '../lib/json-value.ts';
import { orNull } from '../lib/or-null.ts';
import type { PermissionQuestion } from '../round/permission/person.ts';
import { readStreamEvent } from '../schema/events/stream.ts';
import { WISH } from '../schema/journal/permissions.ts';
import { Plan } from '../schema/plan.ts';

/** Raised when one side would misunderstand the other. */
export const LIVE_VERSION = 1;

/** The longest line, in bytes, of a side without a proof. */
export const MAX_UNPROVED = 512;
/** The same for a proved watcher: the longest message fits, and not much more. */
export const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
/** The same for the owner: a record with all its data fits. */
export const MAX_OWNER_MESSAGE = 256 * 1024 * 1024;

/** An owner waits this long for a proof, in milliseconds, on this many connections at once. */
export const PROOF_MS = 2000;
export const MAX_WAITING = 32;

const MAX_WHY = 4000;
const MAX_MESSAGE = 1_000_000;

/** `SEQ.N`, followed by `+LENGTH` for a piece of text. */
export const EventId = z.string().regex(/^\d{1,12}\.\d{1,9}(\+\d{1,12})?$/);

const request = z.number().int().min(0);

const ClientMessage = z.discriminatedUnion('do', [
  /** Asks for every event after the id `after`; `null`: every event that the owner still has. */
  z.object({
    do: z.literal('watch'),
    after: EventId.nullable(),
    answers: z.boolean(),
  }),
  z.object({
    do: z.literal('answer'),
    request,
    id: z.string().max(200),
    kind: z.enum(['once', 'run', 'always', 'no']),
    why: z.string().max(MAX_WHY).default(''),
    /** With a yes: the input that the tool gets instead. Sent only if the question has an input. */
    input: z.record(z.string(), z.unknown()).optional(),
    /** Where the answer came from; left out: from another terminal. */
    door: z.enum(['page', 'editor', 'mcp']).optional(),
  }),
  z.object({ do: z.literal('say'), request, text: z.string().max(MAX_MESSAGE) }),
  z.object({ do: z.literal('pause'), request }),
  /** A slash command; its output is sent back. */
  z.object({ do: z.literal('command'), request, text: z.string().max(MAX_MESSAGE) }),
  /** The process that holds a conversation for others releases it; current work ends. */
  z.object({ do: z.literal('close'), request }),
]);

export type ClientMessage = z.infer<typeof ClientMessage>;
export type ClientMessageOf<Do extends ClientMessage['do']> = Extract<ClientMessage, { do: Do }>;

/** What a person sees of a question. A long `input` is left out: the words contain it already. */
export type OpenQuestion = Omit<PermissionQuestion, 'input'> & {
  readonly input?: PermissionQuestion['input'];
};

/** The answer that counted, as in the journal. */
const Counted = z.object({
  allowed: z.boolean(),
  by: z.string().optional(),
  door: z.string().optional(),
});

export type Counted = z.infer<typeof Counted>;

const AskedQuestion: z.ZodType<OpenQuestion> = z.object({
  ...WISH,
  callId: z.string(),
  argv: z.array(z.string()).nullable(),
  inputText: z.string().exactOptional(),
  folder: z.string(),
  program: z.string().nullable(),
  offered: z.array(z.string()),
  isForRunOnly: z.literal(true).exactOptional(),
  plan: Plan.exactOptional(),
  input: z.record(z.string(), z.unknown()).exactOptional(),
});

/** `null` for an event of a later version's type. */
const Event = z.unknown().transform(readStreamEvent);

/** The outcome of a request. */
const outcome = { is: z.literal('done'), request };

const OwnerMessage = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('hello'),
    /** Events up to here are not sent again: they are in the journal. */
    from: EventId,
    /** The last event until now; left out by earlier versions. */
    last: EventId.exactOptional(),
    /** Who works, on what, and what it may do. */
    started: Event.nullable(),
    /** Whether a person sits at the owner's own terminal. */
    hasPerson: z.boolean(),
  }),
  z.object({
    is: z.literal('event'),
    id: EventId,
    event: z.unknown().transform((value, context) => {
      const event = readStreamEvent(value);
      if (event === null) context.addIssue({ code: 'custom', message: 'a later version' });
      return event ?? z.NEVER;
    }),
  }),
  z.object({ is: z.literal('question'), question: AskedQuestion }),
  /** The question is no longer open. */
  z.object({ is: z.literal('settled'), id: z.string() }),
  z.discriminatedUnion('how', [
    /** An answer counted; a message is passed to the model; a pause stops the work. */
    z.object({
      ...outcome,
      how: z.literal('taken'),
      message: z.number().exactOptional(),
      /** The output of a command. */
      said: z.string().exactOptional(),
    }),
    /** Another answer came first. */
    z.object({ ...outcome, how: z.literal('late'), counted: Counted }),
    /** `why` is a whole sentence. */
    z.object({ ...outcome, how: z.literal('refused'), why: z.string() }),
    /** The request was tried and failed; `code` is one of our error codes. */
    z.object({
      ...outcome,
      how: z.literal('failed'),
      code: z.string(),
      message: z.string(),
      hint: z.string(),
    }),
  ]),
  /** The last line. */
  z.object({ is: z.literal('bye') }),
]);

export type OwnerMessage = z.infer<typeof OwnerMessage>;

type OutcomeIn<Message> = Message extends { is: 'done' } ? Omit<Message, 'is' | 'request'> : never;
export type Done = OutcomeIn<OwnerMessage>;
export type Failed = Extract<Done, { how: 'failed' }>;

export const protocolLine = (value: object): string => `${JSON.stringify(value)}\n`;

/** `null` for an invalid message. Never throws. */
export function parseClientMessage(line: string): ClientMessage | null {
  const read = ClientMessage.safeParse(jsonIn(line));
  return read.success ? read.data : null;
}

/** `null` for an invalid message, and for one of a later version. Never throws. */
export function parseOwnerMessage(line: string): OwnerMessage | null {
  // The value is not an event.
  return orNull(() => {
    const read = OwnerMessage.safeParse(jsonIn(line));
    return read.success ? read.data : null;
  });
}
