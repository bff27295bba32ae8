import * as z from 'zod';
import { EFFORTS } from './config.ts';
import { AnyDriver, Calling } from './driver.ts';
import { CheckRan, NamedFact, VerdictGiven } from './evidence.ts';
import { ACTION_RECORDS } from './journal/action-records.ts';
import { BACKGROUND_RECORDS } from './journal/background.ts';
import { COMMAND_RECORDS, FILE_RESTORED } from './journal/before-images.ts';
import { CHILD_RECORDS } from './journal/children.ts';
import { DAMAGE_RECORDS } from './journal/damage.ts';
import { FILE_CANDIDATE_RECORDS } from './journal/file-candidates.ts';
import { FirstLimits, LIMITS_SET } from './journal/limits.ts';
import { ADOPTED, Mac, RunId } from './journal/origin.ts';
import { PERMISSION_RECORDS } from './journal/permissions.ts';
import {
  CutMessage,
  Ending,
  FORMAT_RAISED,
  MessageEnding,
  OPTION_ADVISED,
  PauseReason,
} from './journal/record-parts.ts';
import type { LocatedRecord, StampedRecord } from './journal/stamp.ts';
import { SWAP_RECORDS } from './journal/swap.ts';
import { TURN_OUTCOME } from './journal/turn-outcome.ts';
import { WAIT_RECORDS } from './journal/waits.ts';
import { FIRST_WISHES, MODEL_ROLE, MODEL_ROLES, WISHES } from './journal/wishes.ts';
import { Lost } from './lost.ts';
import { BRIEF_RECORDS } from './model/brief.ts';
import { Instructions } from './model/instructions.ts';
import { AsideAuthor, MessageCause } from './model/message-cause.ts';
import { PARTS } from './model/message-parts.ts';
import { ToolCall } from './model/messages.ts';
import { Price } from './model/price.ts';
import { TurnPurpose, TurnStatus } from './model/turn.ts';
import { Plan } from './plan.ts';
import { recordSchema } from './record-schema.ts';
import { SERVER_RECORDS } from './servers.ts';
import { ShownFile } from './state-parts/shown-file.ts';
import { StoredText } from './text.ts';

export { CutMessage, Decoded, Ending, MessageEnding, PauseReason } from './journal/record-parts.ts';
export { MessageCause } from './model/message-cause.ts';

/** The format of journals of runs and conversations, and of each line; a higher one is refused with E_TOO_NEW. */
export const FORMAT_VERSION = 3;

/** How a person says who leads: `native` tool calls for the free driver, `json` for the guided one. */
export const ToolMode = z.enum(['native', 'json']);
export type ToolMode = z.infer<typeof ToolMode>;

export const RoundOrigin = z.enum(['decision', 'planned', 'repair', 'put_back']);
export type RoundOrigin = z.infer<typeof RoundOrigin>;

/** A plan, and why it is this one. `by`: the person who gave it; left out for the model's. */
const PLANNED = { plan: Plan, why: z.string(), by: z.string().optional() };

/** Every record of a run or a conversation, without its envelope: one line of `history.jsonl` each. */
export const JournalRecord = z.discriminatedUnion('type', [
  recordSchema('run_opened', {
    format: z.number().int(),
    run: RunId,
    goal: z.string(),
    goalHash: z.string(),
    startedAt: z.number(),
    /** The number that people use for it; left out for runs from before there were numbers. */
    number: z.number().int().min(1).max(999_999_999).optional(),
    version: z.string(),
    ...WISHES,
    ...MODEL_ROLES,
    limits: FirstLimits.optional(),
    /** In a guided run, the first question is a plain try. */
    plainTry: z.literal(true).optional(),
    ...FIRST_WISHES,
    /** Set for a conversation; its goal is its name. */
    conversation: z
      .object({
        /** The caller's name for it; left out if it has only its number. */
        name: z.string().optional(),
        /** The conversation that it replaced. */
        before: RunId.optional(),
        /** A single message from a command line: the conversation is in no list and is not kept forever. */
        once: z.literal(true).optional(),
      })
      .optional(),
    /** The parent run, and the seq of its record that began this run. */
    parent: z.object({ run: RunId, seq: z.number().int() }).optional(),
    /** The name of the template for its plan, and that plan as text with its variables filled in. */
    template: z.string().optional(),
    planText: z.string().optional(),
    /** Shows that this user's agent wrote it; verified if the key is available. */
    mac: Mac,
  }),
  ADOPTED,
  FORMAT_RAISED,
  recordSchema('settings_changed', {
    provider: z.string(),
    model: z.string(),
    digest: z.string().nullable(),
    driver: AnyDriver,
    numCtx: z.number().int(),
    /** The requested window in tokens, which may exceed what the server then gave. */
    askedWindow: z.number().int().optional(),
    /** How the model of a conversation calls tools. */
    calling: Calling.optional(),
    /** Left out: the model's default. */
    temperature: z.number().optional(),
    /** Part of every turn's seed; 0 unless requested. */
    seed: z.number().int(),
    /** True if evidence may move the run to another driver. */
    mayChangeDriver: z.boolean(),
    systemPrompt: StoredText,
    effort: z.enum(EFFORTS).optional(),
    /** In a conversation: whether images are sent; `tried`: the model's support is unknown. Left out: none are. */
    images: z.enum(['sent', 'tried', 'refused']).optional(),
    /** Instruction files in the system prompt; left out if there are none. */
    instructions: Instructions.optional(),
    maxToolResultChars: z.number().int().optional(),
    /** The tool definitions as the model is told them, in JSON; `null`: only names are known. */
    tools: StoredText.nullable(),
    /** The name of the credentials in use, if a run has several candidates. */
    profile: z.string().optional(),
    /** The server's address, if one was given; without credentials. */
    baseUrl: z.string().optional(),
    /** The price reported by the server, used if the program knows none. */
    price: Price.optional(),
    ...MODEL_ROLE,
    why: z.string(),
    /** As in `run_opened`; it covers the address. */
    mac: Mac,
  }),
  recordSchema('message_added', {
    role: z.enum(['user', 'tool']),
    /** Left out if the message is exactly the result of an action. */
    text: StoredText.optional(),
    /** The seq of the outcome whose result it is. */
    resultOf: z.number().int().optional(),
    /** The seq of an earlier message with exactly this result: while that is live, `text` represents it. */
    sameAs: z.number().int().optional(),
    cause: MessageCause,
    /** For an aside: who speaks. */
    by: AsideAuthor.optional(),
    /** In a conversation: the file whose content the message asks for. */
    asksFor: z.string().optional(),
    toolCallId: z.string().optional(),
    toolName: z.string().optional(),
    /** Messages from this seq on leave the conversation first: a refused answer and its question. */
    rewindTo: z.number().int().optional(),
    shows: z.array(ShownFile).optional(),
    ...PARTS,
    /** The subtask that is worked on again from here, even if it was over. */
    subtask: z.string().optional(),
  }),
  /**
   * What a person said. A conversation works on it until `message_ended`; in a run, a message with the cause
   * `person` passes it to the model.
   */
  recordSchema('person_said', {
    text: StoredText,
    ...PARTS,
    /** In a conversation: a command that the person runs, as typed; the model need not answer it. */
    command: z.string().optional(),
  }),
  ...BRIEF_RECORDS,
  recordSchema('plan_set', PLANNED),
  recordSchema('subtask_started', { subtask: z.string() }),
  recordSchema('round_started', {
    n: z.number().int(),
    subtask: z.string(),
    origin: RoundOrigin,
    /** Calls the plan already names; they are carried out without a turn. */
    calls: z.array(ToolCall).optional(),
    /** The file whose content the round asks for, if no step of the plan names it. */
    file: z.string().optional(),
  }),
  recordSchema('turn_finished', {
    turn: z.number().int(),
    /** 0 in a conversation. */
    round: z.number().int(),
    attempt: z.number().int(),
    purpose: TurnPurpose,
    /** Which of several models was asked: `work` if left out, `plan`, `summary`, or a value from a later build. */
    modelRole: z.string().optional(),
    /** The file that a content turn concerns. */
    target: z.string().optional(),
    /** Left out: the model's own. */
    temperature: z.number().optional(),
    seed: z.number().int(),
    /** For a summary: the messages, by seq, that it replaces. */
    replaces: z.object({ fromSeq: z.number().int(), toSeq: z.number().int() }).optional(),
    /**
     * The part of the reply for the person, if it is not the reply itself: the text of an answer held to a
     * schema; empty for a call or the content of a file.
     */
    words: StoredText.optional(),
    /** For a reply given elsewhere: the model that gave it; empty if unknown. */
    givenBy: z.string().optional(),
    ...TURN_OUTCOME,
  }),
  /** Removes the messages from `fromSeq` on from the conversation; the journal keeps them. */
  recordSchema('rewound', { fromSeq: z.number().int(), why: z.string() }),
  /** `open`: the conversation continues in a branch; `close`: it returns to the main conversation, unchanged. */
  recordSchema('branched', { at: z.enum(['open', 'close']), why: z.string() }),
  ...COMMAND_RECORDS,
  ...ACTION_RECORDS,
  recordSchema('check_ran', CheckRan.shape),
  ...FILE_CANDIDATE_RECORDS,
  recordSchema('verdict_given', VerdictGiven.shape),
  recordSchema('subtask_finished', {
    subtask: z.string(),
    status: z.enum(['completed', 'unverified', 'failed']),
    summary: z.string(),
    answer: StoredText.optional(),
    /** What the model tells the person about it. */
    report: StoredText.optional(),
  }),
  /** The plain try failed or was not made: the goal is split into tasks, or (`again`) the question is asked anew. */
  recordSchema('try_ended', { why: z.string(), again: z.literal(true).optional() }),
  recordSchema('replan_started', { n: z.number().int(), why: z.string() }),
  recordSchema('replanned', PLANNED),
  recordSchema('compaction_started', {
    fromSeq: z.number().int(),
    toSeq: z.number().int(),
    method: z.enum(['drop', 'cut']),
  }),
  /**
   * `text` replaces the messages from `fromSeq` to `toSeq`, inclusive. With `cut` all of them stay, and those
   * that it names become shorter.
   */
  recordSchema('compacted', {
    fromSeq: z.number().int(),
    toSeq: z.number().int(),
    text: StoredText,
    cut: z.array(CutMessage).optional(),
  }),
  ...PERMISSION_RECORDS,
  recordSchema('message_ended', {
    ending: MessageEnding,
    detail: z.string(),
    hint: z.string().optional(),
    /** The part of an answer that had come when it was stopped; it stays in the conversation. */
    said: StoredText.optional(),
  }),
  /** A slash command that a person gave to the program itself. */
  recordSchema('command_used', { command: z.string(), text: StoredText, result: StoredText }),
  /** The conversation continues in another one. */
  recordSchema('session_cleared', { next: RunId }),
  recordSchema('undo_started', {
    files: z.array(z.string()),
    /** In a conversation: the seq of the message whose changes are reverted. */
    message: z.number().int().optional(),
  }),
  FILE_RESTORED,
  recordSchema('undo_finished', {}),
  ...SWAP_RECORDS,
  ...CHILD_RECORDS,
  ...SERVER_RECORDS,
  ...BACKGROUND_RECORDS,
  ...DAMAGE_RECORDS,
  LIMITS_SET,
  ...WAIT_RECORDS,
  recordSchema('note', { kind: z.string(), data: z.record(z.string(), z.unknown()) }),
  /** A process took up the run; `token` is one more than that of the process before. */
  recordSchema('lease_taken', {
    token: z.number().int().min(2),
    host: z.string(),
    /** The caller's name for the process. */
    worker: z.string().optional(),
    version: z.string(),
    /** As in `run_opened`, requested later. */
    ...WISHES,
  }),
  /** A person resumed a paused run: limits count anew. */
  recordSchema('run_resumed', { version: z.string(), limits: z.record(z.string(), z.number()) }),
  recordSchema('run_paused', {
    why: PauseReason,
    detail: z.string(),
    /** The next step for the user, if there is one besides resuming. */
    hint: z.string().optional(),
    ...OPTION_ADVISED,
    /** How the last turn ended, if that is the reason. */
    status: TurnStatus.optional(),
  }),
  recordSchema('run_finished', {
    ending: Ending,
    detail: z.string(),
    /** What happened to the files that the goal names. */
    named: z.array(NamedFact).optional(),
    lost: z.array(Lost).optional(),
    /** What a person would have to grant or do, if the model gave up. */
    needs: z.string().optional(),
  }),
]);
export type JournalRecord = z.infer<typeof JournalRecord>;
export type RecordType = JournalRecord['type'];
export type RecordOf<Type extends RecordType> = Extract<JournalRecord, { type: Type }>;

export type Stamped = StampedRecord<JournalRecord>;
/** A record with its number, its time and its place in the journal. */
export type Located<R extends JournalRecord = JournalRecord> = LocatedRecord<R>;
