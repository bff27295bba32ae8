/** What clients send and what they are answered, in JSON. A client skips fields that it does not know. */
import * as z from 'zod';
import { Usage } from '../../schema/model/turn.ts';
import { Plan } from '../../schema/plan.ts';

/** What a token lets its holder do: look, begin and steer work, say yes and no for the person. */
export const Right = z.enum(['observe', 'work', 'answer']);
export type Right = z.infer<typeof Right>;

const Time = z.number().int().describe('Milliseconds since 1970');
const Words = (most: number) => z.string().min(1).max(most);
const Count = z.number().int().min(0);

/** RFC 9457; `code`, `hint` and the option that the hint is about are ours. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  hint: z.string(),
  option: z.string().optional(),
  optionValue: z.string().optional(),
});
export type Problem = z.infer<typeof Problem>;

export const Health = z.object({
  ok: z.literal(true),
  version: z.string(),
  uptimeMs: Count,
  working: Count,
  waiting: Count.describe('Work that waits for its turn'),
});

export const KeyWish = z.object({ key: Words(200) });
export const TokenAnswer = z.object({ token: z.string(), rights: z.array(Right) });
export const LinkAnswer = z.object({ url: z.string() });

export const Me = z.object({
  rights: z.array(Right),
  version: z.string(),
  roots: z.array(z.string()).describe('Folders that work may be begun in, and below'),
  maxRuns: Count,
  working: Count,
  waiting: Count,
});
export type Me = z.infer<typeof Me>;

export const Models = z.object({
  providers: z.array(
    z.object({
      provider: z.string(),
      /** '' where it can be used, else what it lacks. */
      problem: z.string(),
      models: z.array(z.string()),
    }),
  ),
});
export type Models = z.infer<typeof Models>;

export const Workspace = z.object({
  id: z.string(),
  path: z.string(),
  name: z.string(),
  /** The current run; `null`: none. */
  run: z.string().nullable(),
  runs: Count,
  working: Count,
  /** Questions that wait for an answer. */
  questions: Count,
  lastAt: Time,
});
export type Workspace = z.infer<typeof Workspace>;
export const WorkspaceWish = z.object({ path: Words(4096) });
export const Workspaces = z.object({ workspaces: z.array(Workspace) });

/** What a run waits for a person to say; the words that a person is shown. */
export const Question = z.object({
  id: z.string(),
  tool: z.string(),
  /** The command line or the file. */
  target: z.string(),
  reason: z.string(),
  /** What "for this run" and "always here" would allow; `[]`: only this call can be allowed. */
  rules: z.array(z.string()),
  /** True: nobody could be asked, so it was refused for now; a yes counts for a resume. */
  isNoted: z.boolean(),
  callId: z.string().optional(),
  argv: z.array(z.string()).nullable().optional(),
  folder: z.string().optional(),
  program: z.string().nullable().optional(),
  /** What the call was given, such as the change of a file. */
  inputText: z.string().optional(),
});
export type Question = z.infer<typeof Question>;

export const Standing = z.enum([
  ...(['queued', 'starting', 'running', 'killed', 'paused', 'achieved', 'answered'] as const),
  ...(['unverified', 'failed', 'undoing', 'undone', 'damaged'] as const),
]);
export type Standing = z.infer<typeof Standing>;

const RUN = {
  id: z.string(),
  /** Of the folder. */
  workspace: z.string(),
  path: z.string(),
  number: z.number().int().nullable(),
  goal: z.string(),
  standing: Standing,
  startedAt: Time,
  lastAt: Time,
};

export const RunSummary = z.object({ ...RUN, questions: Count });
export type RunSummary = z.infer<typeof RunSummary>;
export const Runs = z.object({
  runs: z.array(RunSummary),
  next: z.string().nullable().describe('For `after`; null at the end'),
});

export const RunDetail = z.object({
  ...RUN,
  /** `foreign`: it came with the folder; it is shown and not acted on. */
  origin: z.enum(['own', 'foreign']),
  /** Of the record that this answer has seen last: events behind it are told by the stream. */
  seq: Count,
  driver: z.string().nullable(),
  model: z.object({ provider: z.string(), model: z.string(), contextWindow: Count }).nullable(),
  plan: Plan.nullable(),
  activeSubtask: z.string().nullable(),
  limits: z.looseObject({}),
  rounds: Count,
  turns: Count,
  actions: Count,
  /** In milliseconds. */
  workedMs: Count,
  usage: Usage,
  costUsd: z.number().nullable(),
  questions: z.array(Question),
  paused: z.object({ why: z.string(), detail: z.string(), hint: z.string() }).nullable(),
  ended: z.object({ ending: z.string(), detail: z.string() }).nullable(),
  answer: z.string().nullable(),
  report: z.string().nullable(),
  /** Who works on it, or did last. */
  owner: z.object({ pid: z.number().int(), isAlive: z.boolean() }).nullable(),
  /** Before it of the same folder or server; `null` where it does not wait. */
  place: Count.nullable(),
  /** What its process printed last, where it could not begin. */
  failure: z.string().nullable(),
  resume: z.string().nullable().describe('The command that goes on'),
});
export type RunDetail = z.infer<typeof RunDetail>;

const Rules = z.array(Words(2000)).max(100);

const LIMITS = {
  maxRounds: z.number().int().min(1).max(10_000).optional(),
  maxTokens: z.number().int().min(1).optional(),
  maxCost: z.number().positive().optional().describe('US dollars'),
  maxTimeMs: z.number().int().min(1000).optional(),
};

const MODEL = { model: Words(300).optional(), provider: Words(100).optional() };

export const RunWish = z.strictObject({
  /** A folder at or below a root: its path, or its id. */
  workspace: Words(4096),
  goal: Words(200_000),
  ...MODEL,
  toolMode: z.enum(['auto', 'native', 'json']).optional(),
  effort: Words(40).optional(),
  ...LIMITS,
  allow: Rules.optional(),
  deny: Rules.optional(),
  sandbox: z.enum(['auto', 'require', 'off']).optional(),
});
export type RunWish = z.infer<typeof RunWish>;

export const RunBegun = z.object({
  id: z.string(),
  workspace: z.string(),
  state: z.enum(['queued', 'starting']),
  place: Count,
});
export type RunBegun = z.infer<typeof RunBegun>;

export const ResumeWish = z.strictObject({
  ...MODEL,
  ...LIMITS,
  allow: Rules.optional(),
  deny: Rules.optional(),
});
export type ResumeWish = z.infer<typeof ResumeWish>;

/** `{answer}`, or as the earlier design has it `{approved, reason}`. */
export const Approval = z.union([
  z.strictObject({
    answer: z.enum(['once', 'run', 'always', 'no']),
    why: z.string().max(4000).optional(),
  }),
  z.strictObject({ approved: z.boolean(), reason: z.string().max(4000).optional() }),
]);
export type Approval = z.infer<typeof Approval>;
/** `left`: it counts for the next start. */
export const Approved = z.object({ how: z.enum(['taken', 'left']), allowed: z.boolean() });

export const SayWish = z.strictObject({ text: Words(1_000_000) });
export const CancelWish = z.strictObject({ why: z.string().max(400).optional() });
export const Taken = z.object({ taken: z.literal(true) });

export const UndoWish = z.strictObject({
  path: Words(4096).optional(),
  dryRun: z.boolean().optional(),
});
export const UndoAnswer = z.looseObject({
  outcome: z.string(),
  restored: z.array(z.string()),
  removed: z.array(z.string()),
  leftAlone: z.array(z.object({ path: z.string(), why: z.string() })),
});
export type UndoAnswer = z.infer<typeof UndoAnswer>;

export const FileDiff = z.object({
  path: z.string(),
  status: z.enum(['added', 'changed', 'removed']),
  added: Count,
  removed: Count,
  isBinary: z.boolean(),
  isChangedSince: z.boolean(),
  /** Why it cannot be shown; ''. */
  problem: z.string(),
  /** Unified; left out of the list of all files. */
  patch: z.string().optional(),
});
export type FileDiff = z.infer<typeof FileDiff>;
export const Diff = z.object({ files: z.array(FileDiff) });
export type Diff = z.infer<typeof Diff>;

/** An event with its id, for programs that poll. `event` is one of `docs/events.md`. */
export const HistoryPage = z.object({
  events: z.array(z.object({ id: z.string(), event: z.looseObject({ type: z.string() }) })),
  next: z.string().nullable(),
});
export type HistoryPage = z.infer<typeof HistoryPage>;
export const RecordAnswer = z.looseObject({ type: z.string(), seq: Count, ts: Time });

export const SessionWish = z.strictObject({
  workspacePath: Words(4096),
  ...MODEL,
  name: Words(200).optional(),
  toolMode: z.enum(['auto', 'native', 'json']).optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTurns: z.number().int().min(1).max(10_000).optional(),
  systemPrompt: z.string().max(200_000).optional(),
});
export type SessionWish = z.infer<typeof SessionWish>;

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
  /** `idle`, `working`, `waiting` for an answer; `closed`: no server holds it, so resume it. */
  state: z.enum(['idle', 'working', 'waiting', 'closed']),
  lastAt: Time,
});
export type SessionSummary = z.infer<typeof SessionSummary>;
export const Sessions = z.object({ sessions: z.array(SessionSummary) });
export const SessionDetail = z.object({
  ...SessionSummary.shape,
  model: z.string(),
  messages: Count,
  /** True where a message was cut off; resuming works on it. */
  isOpen: z.boolean(),
  pendingApprovals: z.array(Question),
  lastEventId: z.string(),
  usage: Usage,
  costUsd: z.number().nullable(),
});
export type SessionDetail = z.infer<typeof SessionDetail>;
export const SessionResume = z.strictObject({ workspacePath: Words(4096), ...MODEL });
export type SessionResume = z.infer<typeof SessionResume>;
export const SessionResumed = z.object({
  ...SessionBegun.shape,
  messages: Count,
  isOpen: z.boolean(),
  pendingApprovals: z.array(Question),
});
export type SessionResumed = z.infer<typeof SessionResumed>;
export const ChatWish = z.strictObject({ message: Words(1_000_000) });
export const ChatTaken = z.object({ turn: Count.describe('The number of the message, from 1') });
export const Transcript = z.object({ lines: z.array(z.looseObject({ type: z.string() })) });
