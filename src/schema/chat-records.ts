/** Every record the journal of a conversation can hold, without its envelope. */
import * as z from 'zod';
import { ACTION_RECORDS } from './action-records.ts';
import { EFFORTS } from './config.ts';
import { COMMAND_RECORDS, FILE_RESTORED } from './kept.ts';
import { Mac, RunId } from './origin.ts';
import { PERMISSION_RECORDS } from './permissions.ts';
import { Price } from './price.ts';
import { CutMessage, FORMAT_RAISED } from './record-parts.ts';
import { SERVER_ENDED, SERVER_STARTED } from './servers.ts';
import { ShownFile } from './shown-file.ts';
import type { LocatedRecord, StampedRecord } from './stamp.ts';
import { StoredText } from './text.ts';
import { TURN_OUTCOME } from './turn-outcome.ts';

const record = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

/**
 * How a message came to its end. `limit`: it was bounded. `permission`: something was refused since
 * nobody could be asked. `failed`: no model answered.
 */
export const MessageEnding = z.enum([
  'replied',
  'limit',
  'permission',
  'failed',
  'interrupted',
  'refused',
]);
export type MessageEnding = z.infer<typeof MessageEnding>;

/** Who speaks for the person who is no model: the program itself, a command behind a slash, a run. */
export const ToldBy = z.enum(['engine', 'run', 'command']);

export const ChatRecord = z.discriminatedUnion('type', [
  record('session_opened', {
    format: z.number().int(),
    session: RunId,
    /** What the caller calls it by; left out where it goes by its number alone. */
    name: z.string().optional(),
    number: z.number().int().min(1).max(999_999_999).optional(),
    startedAt: z.number(),
    version: z.string(),
    /** The session that was put away for this one. */
    before: RunId.optional(),
    mac: Mac,
  }),
  record('session_resumed', { version: z.string() }),
  FORMAT_RAISED,
  record('session_settings', {
    provider: z.string(),
    model: z.string(),
    digest: z.string().nullable(),
    /** True: tools and calls are on the wire as such. False: the model writes its calls as text. */
    callsTools: z.boolean(),
    /** True: each answer is one object that is held to a schema, words or one call. */
    answersHeld: z.literal(true).optional(),
    numCtx: z.number().int(),
    /** Left out: the model's own. */
    temperature: z.number().optional(),
    seed: z.number().int(),
    effort: z.enum(EFFORTS).optional(),
    maxToolResultChars: z.number().int().optional(),
    systemPrompt: StoredText,
    /** The definitions of the tools as the model is told them, in JSON. */
    tools: StoredText,
    profile: z.string().optional(),
    /** The server's address, where one was given; without credentials. */
    baseUrl: z.string().optional(),
    price: Price.optional(),
    why: z.string(),
    /** It covers the address. */
    mac: Mac,
  }),
  /** A message of the person: the model works on it until `message_ended`. */
  record('person_said', { text: StoredText }),
  /** Something that enters the conversation and asks for no answer by itself. */
  record('told', {
    text: StoredText,
    by: ToldBy,
    /** The file whose content it asks for. */
    asksFor: z.string().optional(),
    /** Files that stand in it. */
    shows: z.array(ShownFile).readonly().optional(),
  }),
  record('turn_finished', {
    turn: z.number().int(),
    attempt: z.number().int(),
    purpose: z.enum(['action', 'summary']),
    /** Of a summary: the messages, by their seqs, that it stands for from now on. */
    replaces: z.object({ fromSeq: z.number().int(), toSeq: z.number().int() }).optional(),
    temperature: z.number().optional(),
    seed: z.number().int(),
    /**
     * What of the reply is said to the person, where that is not the reply itself: the text of an answer
     * that is held to a schema, '' of a call or of the content of a file.
     */
    words: StoredText.optional(),
    /** Of a reply that was given elsewhere: the model that gave it, '' where nobody knows. */
    givenBy: z.string().optional(),
    ...TURN_OUTCOME,
  }),
  ...ACTION_RECORDS,
  ...COMMAND_RECORDS,
  ...PERMISSION_RECORDS,
  /** Messages that were too long say less; all of them stay. */
  record('shortened', { cut: z.array(CutMessage) }),
  record('message_ended', {
    ending: MessageEnding,
    detail: z.string(),
    hint: z.string().optional(),
  }),
  /** What a person asked of the program itself, with a word behind a slash. */
  record('command_used', { command: z.string(), text: StoredText, result: StoredText }),
  /** What the message `message` (its seq) changed is put back. */
  record('undo_started', { message: z.number().int(), files: z.array(z.string()) }),
  FILE_RESTORED,
  record('undo_finished', {}),
  /** The conversation goes on in another session. */
  record('session_cleared', { next: RunId }),
  SERVER_STARTED,
  SERVER_ENDED,
  record('note', { kind: z.string(), data: z.record(z.string(), z.unknown()) }),
]);
export type ChatRecord = z.infer<typeof ChatRecord>;
export type ChatRecordType = ChatRecord['type'];
export type ChatRecordOf<Type extends ChatRecordType> = Extract<ChatRecord, { type: Type }>;

export type StampedChat = StampedRecord<ChatRecord>;
export type LocatedChat<R extends ChatRecord = ChatRecord> = LocatedRecord<R>;
