/**
 * The events of a run or a conversation for programs that watch it: the lines of `--json`, what the library
 * yields, what a server sends. A reader skips types and fields that it does not know.
 */
import * as z from 'zod';
import { lazily } from '../../lib/lazily.ts';
import { ActionStatus } from '../actions.ts';
import { DriverName } from '../driver.ts';
import { WISH } from '../journal/permissions.ts';
import { MessageEnding } from '../journal/record-parts.ts';
import { Withheld } from '../journal/swap.ts';
import { TurnStatus, Usage } from '../model/turn.ts';
import { Plan } from '../plan.ts';
import { STREAM_VERSION } from './events.ts';
import { CommandResult, PublicStatus } from './outcome.ts';
import { byCommands, sinceEnd } from './result-parts.ts';

const v = z.literal(STREAM_VERSION);
/** The number of its journal record; a reader that has seen it may skip the event. */
const seq = z.number().int().min(1).optional();

/** `run`: the run or the conversation it is about; `null` if the call ended before there was one. */
const Envelope = z.object({ v, run: z.string().nullable(), seq });

/** Made when an event is first read: a process that only sends events needs no schema. */
const event =
  <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: () => Shape) =>
  () =>
    z.object({ type: z.literal(type), ...shape() });

const madeOf = <Events extends readonly (() => z.ZodObject)[]>(events: Events) =>
  events.map((make) => make()) as { -readonly [At in keyof Events]: ReturnType<Events[At]> };

const CandidateName = z.object({ provider: z.string(), model: z.string(), profile: z.string() });
const Paths = z.array(z.string());
const Failure = TurnStatus.options.map(({ shape }) => shape.kind.value);

/** The first event: who works, on what, and what it may do. What never became known is `null`. */
const STARTED = event('started', () => ({
  /** The version of this program. */
  version: z.string(),
  /** `null` for a conversation. */
  goal: z.string().nullable(),
  workspace: z.string(),
  /** The number that people use for it. */
  number: z.number().int().nullable(),
  /** For a conversation: its name when it began. */
  name: z.string().nullable().optional(),
  /** True if it continues from an existing journal. */
  resumed: z.boolean(),
  /** Who leads: the engine, the model, or a person in a conversation. */
  driver: z.enum([...DriverName.options, 'chat']).nullable(),
  model: CandidateName.extend({
    toolMode: z.enum(['native', 'json']).nullable(),
    /** Tokens. */
    contextWindow: z.number().int(),
  }).nullable(),
  permissions: z
    .object({
      builds: z.array(z.string()),
      allow: z.array(z.string()),
      deny: z.array(z.string()),
      /** What happens to all else: a person is asked, it is refused and noted, or it is allowed. */
      asks: z.enum(['person', 'nobody', 'yes']),
      isConfined: z.boolean(),
    })
    .nullable(),
}));

/** The last event, sent exactly once. After an error it has only the first fields. */
const RESULT = event('result', () => ({
  exitCode: z.number().int(),
  ending: z.enum([
    'achieved',
    'answered',
    'unverified',
    'failed',
    'already_finished',
    'paused',
    ...MessageEnding.exclude(['failed']).options,
    'error',
  ]),
  /** The command that continues; `null` if nothing can continue. */
  resume: z.string().nullable(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      hint: z.string(),
      option: z.string().optional(),
      optionValue: z.string().optional(),
      command: z.array(z.string()).readonly().optional(),
      endsInCommand: z.boolean().optional(),
    })
    .nullable(),
  /** For a pause: `auth`, `limit_tokens`, … For a failed message: how the last request ended. */
  why: z.string().nullable().optional(),
  detail: z.string().optional(),
  hint: z.string().nullable().optional(),
  option: z.string().optional(),
  optionValue: z.string().optional(),
  command: z.array(z.string()).readonly().optional(),
  endsInCommand: z.boolean().optional(),
  goal: z.string().optional(),
  answer: z.string().nullable().optional(),
  summary: z.string().nullable().optional(),
  rounds: z.number().int().optional(),
  turns: z.number().int().optional(),
  actions: z.number().int().optional(),
  files: Paths.optional(),
  needs: z.string().nullable().optional(),
  /** The rules for `allow` without which something stays undone. */
  toAllow: z.array(z.string()).optional(),
  lost: z.array(z.unknown()).optional(),
  byCommands: byCommands().optional(),
  /** For a goal that was achieved and is given again; else `null`. */
  sinceEnd: sinceEnd().nullable().optional(),
  withheld: Withheld.nullable().optional(),
  usage: Usage.optional(),
  lastTurnUsage: Usage.nullable().optional(),
  costUsd: z.number().nullable().optional(),
  unpricedTurns: z.number().int().optional(),
  elapsedMs: z.number().int().optional(),
  workspace: z.string().optional(),
}));

const Call = z.object({
  id: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
});

const TURNS = [
  /** A request was sent; nothing has come back yet. */
  event('turn_started', () => ({
    turn: z.number().int(),
    purpose: z.string(),
    /** The file whose content is asked for. */
    target: z.string().nullable(),
    /** For a conversation: which request of the message it is, counted from 1. */
    iteration: z.number().int().optional(),
  })),
  /** How much of the prompt the model has read, if its server reports it: whole percent. */
  event('prompt_read', () => ({ percent: z.number().int() })),
  event('text_delta', () => ({ text: z.string() })),
  event('thinking_delta', () => ({ text: z.string() })),
  event('tool_call_started', () => ({ index: z.number().int(), name: z.string() })),
  /** A piece of the arguments as the model writes them; only all pieces together are JSON. */
  event('tool_call_arguments', () => ({ index: z.number().int(), text: z.string() })),
  /** A call as it will be carried out, with all its arguments. */
  event('tool_call_ready', () => Call.shape),
  event('turn_finished', () => ({
    turn: z.number().int(),
    purpose: z.string(),
    status: z.enum(Failure),
    /** What went wrong; '' for a success. */
    detail: z.string(),
    text: z.string(),
    usage: Usage,
    /** The calls of the reply, as they will be carried out; left out if there are none. */
    calls: z.array(Call).optional(),
    /** `null`: unknown; left out if it cost nothing. */
    costUsd: z.number().nullable().optional(),
  })),
  event('turn_retry', () => ({
    attempt: z.number().int(),
    waitMs: z.number().int(),
    why: z.string(),
    status: z.enum(Failure).optional(),
    profile: z.string().optional(),
  })),
  event('model_switched', () => ({
    from: CandidateName,
    to: CandidateName,
    why: z.string(),
    /** As in `turn_retry`; left out if one was sent just before, since the switch belongs to it. */
    attempt: z.number().int().optional(),
    status: z.enum(Failure).optional(),
  })),
  /** Messages of the conversation before and after; `null` if unknown. */
  event('compaction', () => ({
    before: z.number().int().nullable(),
    after: z.number().int().nullable(),
  })),
] as const;

const WORK = [
  event('plan', () => ({ plan: Plan, why: z.string(), isReplan: z.boolean() })),
  event('subtask_started', () => ({ subtask: z.string() })),
  event('subtask_finished', () => ({
    subtask: z.string(),
    status: z.enum(['completed', 'unverified', 'failed']),
    summary: z.string(),
  })),
  event('tool_started', () => ({ id: z.string(), callId: z.string(), name: z.string() })),
  event('tool_output', () => ({ text: z.string() })),
  event('tool_result', () => ({
    id: z.string(),
    callId: z.string(),
    name: z.string(),
    status: ActionStatus,
    /** The same in terms that distinguish a wrong name from wrong arguments. */
    publicStatus: PublicStatus.optional(),
    /** How a command ended; left out for other calls. */
    command: CommandResult.optional(),
    /** The result as the model gets it. */
    content: z.string(),
    durationMs: z.number().optional(),
  })),
  /** The proof, or a check that a subtask is done. */
  event('check', () => ({
    subtask: z.string(),
    isProof: z.boolean(),
    passed: z.boolean(),
    text: z.string(),
  })),
  /** At the end of a run: a check is tried in a copy of the folder that differs in something. */
  event('trial_started', () => ({
    /** Counted from 1; `of` counts those planned so far. */
    n: z.number().int(),
    of: z.number().int(),
    /** How the copy differs. */
    words: z.string(),
  })),
  /** Somebody skips the remaining trials. */
  event('trials_skipped', () => ({})),
  /** `isNoted`: nobody could be asked, so it was refused for now. */
  event('permission_asked', () => ({ ...WISH, isNoted: z.boolean() })),
  event('permission_answered', () => ({
    id: z.string(),
    allowed: z.boolean(),
    why: z.string(),
    /** What is allowed or denied from now on, beyond this one call. */
    rule: z.string().optional(),
  })),
  /** A message of a conversation, or what somebody said while a run worked. */
  event('person_said', () => ({ text: z.string() })),
  /** For a conversation: the work on its message is over. */
  event('message_ended', () => ({
    ending: MessageEnding,
    detail: z.string(),
    hint: z.string().optional(),
  })),
  event('notice', () => ({
    level: z.enum(['info', 'warning']),
    text: z.string(),
    /** The option of a call that it is about. */
    option: z.string().optional(),
    /** The MCP server that it is about. */
    server: z.string().optional(),
  })),
  /** A record of the journal as it is on disk: a string of more than 8,192 characters is a reference. */
  event('record', () => ({
    record: z.looseObject({ type: z.string(), seq: z.number().int(), ts: z.number() }),
  })),
] as const;

/** An event without its envelope. */
const bodies = lazily(() =>
  z.discriminatedUnion('type', [STARTED(), ...madeOf(TURNS), ...madeOf(WORK), RESULT()]),
);
export const StreamBody = z.lazy(bodies);

/** What `--json` prints and the library yields: an envelope with `v`, `run` and `seq`, and one of the bodies. */
export const StreamEvent = z.intersection(Envelope, StreamBody);
export type StreamEvent = z.infer<typeof StreamEvent>;
export type StreamBody = z.infer<typeof StreamBody>;
/** The names of all events. */
export type StreamType = StreamBody['type'];
/** The event of one type. */
export type StreamEventOf<Type extends StreamType> = Extract<StreamEvent, { type: Type }>;
export type StreamBodyOf<Type extends StreamType> = Extract<StreamBody, { type: Type }>;

export const streamTypes = (): readonly StreamType[] =>
  bodies().options.map(({ shape }) => shape.type.value);

/** As a JSON Schema, for readers in other languages. */
export const streamSchema = (): object => ({
  $id: `urn:tardigrade:events:${STREAM_VERSION}`,
  title: 'Tardigrade: an event of a run or a conversation',
  description: 'Skip events of a type, and fields, that are not named here.',
  ...z.toJSONSchema(StreamEvent, { io: 'input' }),
});

/**
 * The event that a parsed line holds; `null` for one of a type that this version does not know. Throws
 * a `ZodError` for anything that is not an event.
 */
export function readStreamEvent(value: unknown): StreamEvent | null {
  const { type } = z.looseObject({ v: z.number().int(), type: z.string() }).parse(value);
  return streamTypes().includes(type as StreamType) ? StreamEvent.parse(value) : null;
}
