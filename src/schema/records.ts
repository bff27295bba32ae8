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
import { LIMITS_SET } from './journal/limits.ts';
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
import { MODEL_ROLE, MODEL_ROLES, WISHES } from './journal/wishes.ts';
import { Lost } from './lost.ts';
import { BRIEF_RECORDS } from './model/brief.ts';
import { Instructions } from './model/instructions.ts';
import { AsideAuthor, MessageCause } from './model/message-cause.ts';
import { PARTS } from './model/message-parts.ts';
import { ToolCall } from './model/messages.ts';
import { Price } from './model/price.ts';
import { TurnPurpose, TurnStatus } from './model/turn.ts';
import { Plan } from './plan.ts';
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

const record = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

/** A plan, and why it is this one. `by`: the person who gave it; left out for the model's. */
const PLANNED = { plan: Plan, why: z.string(), by: z.string().optional() };

/** Every record of a run or a conversation, without its envelope: one line of `history.jsonl` each. */
export const JournalRecord = z.discriminatedUnion('type', [
  record('run_opened', {
    format: z.number().int(),
    run: RunId,
    goal: z.string(),
    goalHash: z.string(),
    startedAt: z.number(),
    /** What people call it by; left out of runs that began before there were numbers. */
    number: z.number().int().min(1).max(999_999_999).optional(),
    version: z.string(),
    ...WISHES,
    ...MODEL_ROLES,
    /** Where the engine leads, the first question is a plain try. */
    plainTry: z.literal(true).optional(),
    /** A person agrees to the plan before any work. */
    agreePlan: z.literal(true).optional(),
    /** Of a conversation, whose goal is its name. */
    conversation: z
      .object({
        /** What the caller calls it by; left out where it goes by its number alone. */
        name: z.string().optional(),
        /** The conversation that was put away for this one. */
        before: RunId.optional(),
        /** One message from a command line: it is in no list, and does not stay for ever. */
        once: z.literal(true).optional(),
      })
      .optional(),
    /** The run that began this one, and the seq of its record that says so. */
    parent: z.object({ run: RunId, seq: z.number().int() }).optional(),
    /** The name of the template that its plan comes from, and that plan as a text, filled in. */
    template: z.string().optional(),
    planText: z.string().optional(),
    /** Shows that this user's agent wrote it; checked where a key for it is kept. */
    mac: Mac,
  }),
  ADOPTED,
  FORMAT_RAISED,
  record('settings_changed', {
    provider: z.string(),
    model: z.string(),
    digest: z.string().nullable(),
    driver: AnyDriver,
    numCtx: z.number().int(),
    /** Tokens: the window that was asked for, which may be more than the server then gave. */
    askedWindow: z.number().int().optional(),
    /** How the model of a conversation calls tools. */
    calling: Calling.optional(),
    /** Left out: the model's own. */
    temperature: z.number().optional(),
    /** Enters every turn's seed; 0 unless asked for. */
    seed: z.number().int(),
    /** True when evidence may move the run to another driver. */
    mayChangeDriver: z.boolean(),
    systemPrompt: StoredText,
    effort: z.enum(EFFORTS).optional(),
    /** Of a conversation: whether images go to the model; `tried`: nobody says that it takes any. Left out: none do. */
    images: z.enum(['sent', 'tried', 'refused']).optional(),
    /** Files of the project that the system prompt tells of; left out where there are none. */
    instructions: Instructions.optional(),
    maxToolResultChars: z.number().int().optional(),
    /** The definitions of the tools as the model is told them, in JSON; `null`: only names are known. */
    tools: StoredText.nullable(),
    /** The name of the credentials in use, where a run has several ways to a model. */
    profile: z.string().optional(),
    /** The server's address, where one was given; without credentials. */
    baseUrl: z.string().optional(),
    /** As the server told it: turns are counted by it where the program knows no price. */
    price: Price.optional(),
    ...MODEL_ROLE,
    why: z.string(),
    /** As of `run_opened`; it covers the address. */
    mac: Mac,
  }),
  record('message_added', {
    role: z.enum(['user', 'tool']),
    /** Left out where the message is the result of an action, word for word. */
    text: StoredText.optional(),
    /** The seq of the outcome whose result it is. */
    resultOf: z.number().int().optional(),
    /** The seq of an earlier message with that very result: as long as it is live, `text` stands for it. */
    sameAs: z.number().int().optional(),
    cause: MessageCause,
    /** Of an aside: who speaks. */
    by: AsideAuthor.optional(),
    /** The file whose content it asks for, where a conversation asks for one. */
    asksFor: z.string().optional(),
    toolCallId: z.string().optional(),
    toolName: z.string().optional(),
    /** Messages from this seq on leave the conversation first: a refused answer and its question. */
    rewindTo: z.number().int().optional(),
    shows: z.array(ShownFile).optional(),
    ...PARTS,
    /** The subtask that is worked on again from here, also where it was over. */
    subtask: z.string().optional(),
  }),
  /**
   * What a person said. A conversation works on it until `message_ended`; in a run a message of cause
   * `person` brings it to the model.
   */
  record('person_said', {
    text: StoredText,
    ...PARTS,
    /** In a conversation: a command that the person runs, in these words; no answer of the model is asked for. */
    command: z.string().optional(),
  }),
  ...BRIEF_RECORDS,
  record('plan_set', PLANNED),
  record('subtask_started', { subtask: z.string() }),
  record('round_started', {
    n: z.number().int(),
    subtask: z.string(),
    origin: RoundOrigin,
    /** Calls the plan already names; they are carried out without a turn. */
    calls: z.array(ToolCall).optional(),
    /** The file whose content the round asks for, where no step of the plan names it. */
    file: z.string().optional(),
  }),
  record('turn_finished', {
    turn: z.number().int(),
    /** 0 in a conversation. */
    round: z.number().int(),
    attempt: z.number().int(),
    purpose: TurnPurpose,
    /** Which of several models was asked: `work` where left out, `plan`, `summary`, or what a later build names. */
    modelRole: z.string().optional(),
    /** The file a content turn is about. */
    target: z.string().optional(),
    /** Left out: the model's own. */
    temperature: z.number().optional(),
    seed: z.number().int(),
    /** Of a summary: the messages, by their seqs, that it stands for from now on. */
    replaces: z.object({ fromSeq: z.number().int(), toSeq: z.number().int() }).optional(),
    /**
     * What of the reply is said to the person, where that is not the reply itself: the text of an answer
     * that is held to a schema, '' of a call or of the content of a file.
     */
    words: StoredText.optional(),
    /** Of a reply that was given elsewhere: the model that gave it, '' where nobody knows. */
    givenBy: z.string().optional(),
    ...TURN_OUTCOME,
  }),
  /** Takes the messages from `fromSeq` on out of the conversation; the journal keeps them. */
  record('rewound', { fromSeq: z.number().int(), why: z.string() }),
  /** `open`: the conversation goes on beside the main one; `close`: back to it, as it was. */
  record('branched', { at: z.enum(['open', 'close']), why: z.string() }),
  ...COMMAND_RECORDS,
  ...ACTION_RECORDS,
  record('check_ran', CheckRan.shape),
  ...FILE_CANDIDATE_RECORDS,
  record('verdict_given', VerdictGiven.shape),
  record('subtask_finished', {
    subtask: z.string(),
    status: z.enum(['completed', 'unverified', 'failed']),
    summary: z.string(),
    answer: StoredText.optional(),
    /** What the model tells the person of it. */
    report: StoredText.optional(),
  }),
  /** The plain try came to nothing, or was not made: the goal is split into tasks and subtasks. */
  record('try_ended', { why: z.string() }),
  record('replan_started', { n: z.number().int(), why: z.string() }),
  record('replanned', PLANNED),
  record('compaction_started', {
    fromSeq: z.number().int(),
    toSeq: z.number().int(),
    method: z.enum(['drop', 'cut']),
  }),
  /**
   * Messages from `fromSeq` up to and with `toSeq` are replaced by `text`; with `cut` all of them
   * stay, and those it names say less.
   */
  record('compacted', {
    fromSeq: z.number().int(),
    toSeq: z.number().int(),
    text: StoredText,
    cut: z.array(CutMessage).optional(),
  }),
  ...PERMISSION_RECORDS,
  record('message_ended', {
    ending: MessageEnding,
    detail: z.string(),
    hint: z.string().optional(),
  }),
  /** What a person asked of the program itself, with a word behind a slash. */
  record('command_used', { command: z.string(), text: StoredText, result: StoredText }),
  /** The conversation goes on in another one. */
  record('session_cleared', { next: RunId }),
  record('undo_started', {
    files: z.array(z.string()),
    /** In a conversation: the seq of the message whose changes are put back. */
    message: z.number().int().optional(),
  }),
  FILE_RESTORED,
  record('undo_finished', {}),
  ...SWAP_RECORDS,
  ...CHILD_RECORDS,
  ...SERVER_RECORDS,
  ...BACKGROUND_RECORDS,
  ...DAMAGE_RECORDS,
  LIMITS_SET,
  ...WAIT_RECORDS,
  record('note', { kind: z.string(), data: z.record(z.string(), z.unknown()) }),
  /** A process took the run up; `token` is one more than that of the process before it. */
  record('lease_taken', {
    token: z.number().int().min(2),
    host: z.string(),
    /** What the caller calls the process that works on it. */
    worker: z.string().optional(),
    version: z.string(),
    /** As of `run_opened`, asked for since. */
    ...WISHES,
  }),
  /** A person took up a run that was paused: limits count anew. */
  record('run_resumed', { version: z.string(), limits: z.record(z.string(), z.number()) }),
  record('run_paused', {
    why: PauseReason,
    detail: z.string(),
    /** The next step for the user, where there is one besides going on. */
    hint: z.string().optional(),
    ...OPTION_ADVISED,
    /** What the last turn ended in, where that is why. */
    status: TurnStatus.optional(),
  }),
  record('run_finished', {
    ending: Ending,
    detail: z.string(),
    /** What became of the files that the goal names. */
    named: z.array(NamedFact).optional(),
    lost: z.array(Lost).optional(),
    /** What a person would have to give or do, where the model gave up. */
    needs: z.string().optional(),
  }),
]);
export type JournalRecord = z.infer<typeof JournalRecord>;
export type RecordType = JournalRecord['type'];
export type RecordOf<Type extends RecordType> = Extract<JournalRecord, { type: Type }>;

export type Stamped = StampedRecord<JournalRecord>;
/** A record with its number, its time and its place in the journal. */
export type Located<R extends JournalRecord = JournalRecord> = LocatedRecord<R>;
