/** Schemas of runs: requests and answers. */
import * as z from 'zod';
import { MAX_PARALLEL } from '../../schema/config.ts';
import { Usage } from '../../schema/model/turn.ts';
import { Plan } from '../../schema/plan.ts';
import { BoundedText, Count, MessageText, MODEL, Rules, Time, WISH_BODY } from './basics.ts';

/** A question for a person that a run waits for, in the words that a person sees. */
export const Question = z.object({
  id: z.string(),
  tool: z.string(),
  /** The command line or the file. */
  target: z.string(),
  reason: z.string(),
  /** What "for this run" and "always here" would allow; `[]`: only this call can be allowed. */
  rules: z.array(z.string()),
  /** What each of these rules allows, in plain words. */
  allows: z.array(z.string()).optional(),
  /** True: no person could be asked, so it was refused for now; a yes takes effect at a resume. */
  isNoted: z.boolean(),
  callId: z.string().optional(),
  argv: z.array(z.string()).nullable().optional(),
  folder: z.string().optional(),
  program: z.string().nullable().optional(),
  /** An input of the call, such as the change to a file. */
  inputText: z.string().optional(),
  /** True: only "for this run" can be answered, not "always here". */
  isForRunOnly: z.boolean().optional(),
  /** The input of the call, if an answer may change it; of a plan its text. */
  input: z.record(z.string(), z.unknown()).optional(),
  /** The plan that waits for a yes, if that is the question. */
  plan: Plan.optional(),
});
export type Question = z.infer<typeof Question>;

export const Standing = z.enum([
  ...(['queued', 'starting', 'running', 'killed', 'paused', 'achieved', 'answered'] as const),
  ...(['unverified', 'failed', 'undoing', 'undone', 'damaged', 'not_begun', 'gone'] as const),
]);
export type Standing = z.infer<typeof Standing>;

const RUN = {
  id: z.string(),
  /** The id of the folder. */
  workspace: z.string(),
  path: z.string(),
  number: z.number().int().nullable(),
  goal: z.string(),
  standing: Standing,
  startedAt: Time,
  lastAt: Time,
};

const More = {
  isPartly: z.literal(true).optional().describe('Its proof is silent on some changed files'),
  failedAt: Time.optional().describe('When the process for its last resume ended too early'),
};
export const RunSummary = z.object({ ...RUN, questions: Count, ...More });
export type RunSummary = z.infer<typeof RunSummary>;
export const Runs = z.object({
  runs: z.array(RunSummary),
  next: z.string().nullable().describe('For `after`; null at the end'),
});

/** What a person may do next with a run without a process. */
export const NextStep = z.object({
  does: z.enum(['resume', 'apply', 'undo', 'again']),
  words: z.string().describe('What it does'),
  command: z.string().describe("'' where nobody would type it"),
  /** For the route of that name, of `again` for POST /api/runs; `null`: only the command does it. */
  body: z.record(z.string(), z.unknown()).nullable(),
});
export type NextStep = z.infer<typeof NextStep>;

export const RunDetail = z.object({
  ...{ ...RUN, isPartly: More.isPartly },
  /** `foreign`: it came with the folder; it is shown but not acted on. */
  origin: z.enum(['own', 'foreign']),
  /** The number of the last record that this answer covers: the stream continues with later events. */
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
  ...{ costUsd: z.number().nullable(), unpricedTurns: Count },
  questions: z.array(Question),
  paused: z.object({ why: z.string(), detail: z.string(), hint: z.string() }).nullable(),
  ended: z.object({ ending: z.string(), detail: z.string() }).nullable(),
  needs: z.string().nullable().describe('What a person would have to do, as the model says'),
  next: z.array(NextStep).describe('What may be done now, the usual first'),
  answer: z.string().nullable().describe('The text that the goal asked for, as Markdown'),
  report: z.string().nullable().describe('What the model says of its work; nothing checks it'),
  notDone: z.string().describe('What was refused and so not done; empty if nothing'),
  /** The process that works on it, or worked on it last. */
  owner: z.object({ pid: z.number().int(), isAlive: z.boolean() }).nullable(),
  /** How many runs of the same folder or server go before it; `null` if it does not wait. */
  place: Count.nullable(),
  /** Why the run could not begin or go on, or was cut off: its process's last output, or its end. */
  failure: z.string().nullable(),
  resume: z.string().nullable().describe('The command that goes on, while it is not over'),
  mayGoOn: z
    .boolean()
    .describe('Whether a request may resume it: it is ours, at rest, and below a root'),
});
export type RunDetail = z.infer<typeof RunDetail>;

const LIMITS = {
  maxRounds: z.number().int().min(1).max(10_000).optional(),
  maxTokens: z.number().int().min(1).optional(),
  maxCost: z.number().positive().optional().describe('US dollars'),
  maxTimeMs: z.number().int().min(1000).optional(),
  parallel: z.number().int().min(1).max(MAX_PARALLEL).optional(),
};

export const RunBody = z.strictObject({
  /** A folder at or below a root: its path or its id. */
  workspace: BoundedText(4096),
  goal: BoundedText(200_000),
  ...MODEL,
  planModel: BoundedText(300)
    .optional()
    .describe('PROVIDER/NAME of the model that plans; `model` works'),
  agreePlan: z.boolean().optional().describe('True: the plan waits for a yes before any work'),
  proof: BoundedText(2000).optional().describe('One command that fails now and passes at the end'),
  ...WISH_BODY,
  toolMode: z.enum(['auto', 'native', 'json']).optional(),
  effort: BoundedText(40).optional(),
  ...LIMITS,
  allow: Rules.optional(),
  deny: Rules.optional(),
  sandbox: z.enum(['auto', 'require', 'off']).optional(),
});
export type RunBody = z.infer<typeof RunBody>;

/** The command line that would do the same. */
export const TypedCommand = z.object({ command: z.string() });
export type TypedCommand = z.infer<typeof TypedCommand>;

export const RunBegun = z.object({
  id: z.string(),
  workspace: z.string(),
  state: z.enum(['queued', 'starting']),
  place: Count,
});
export type RunBegun = z.infer<typeof RunBegun>;

export const ResumeBody = z.strictObject({
  /** Agrees to the plan that waits for a yes. */
  agree: z.boolean().optional(),
  ...MODEL,
  ...LIMITS,
  allow: Rules.optional(),
  deny: Rules.optional(),
});
export type ResumeBody = z.infer<typeof ResumeBody>;

/** `{answer}`, or `{approved, reason}` as in the earlier design. */
export const Approval = z.union([
  z.strictObject({
    answer: z.enum(['once', 'run', 'always', 'no']),
    why: z.string().max(4000).optional(),
    /** With a yes: the input that the call gets instead. */
    input: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({ approved: z.boolean(), reason: z.string().max(4000).optional() }),
]);
export type Approval = z.infer<typeof Approval>;
/** `left`: it takes effect at the next start. */
export const Approved = z.object({ how: z.enum(['taken', 'left']), allowed: z.boolean() });

export const SayBody = z.strictObject({ text: MessageText });
export const CancelBody = z.strictObject({ why: z.string().max(400).optional() });
export const Taken = z.object({ taken: z.literal(true) });

export const UndoBody = z.strictObject({
  path: BoundedText(4096).optional(),
  dryRun: z.boolean().optional(),
});
export type UndoBody = z.infer<typeof UndoBody>;
const Left = z.array(z.object({ path: z.string(), why: z.string() }));
export const UndoAnswer = z.looseObject({
  outcome: z.string(),
  restored: z.array(z.string()),
  removed: z.array(z.string()),
  leftAlone: Left,
});
export type UndoAnswer = z.infer<typeof UndoAnswer>;

export const ApplyAnswer = z.object({
  outcome: z.enum(['applied', 'left_alone', 'already_applied', 'nothing_to_apply']),
  applied: z.array(z.string()),
  leftAlone: Left,
});
export type ApplyAnswer = z.infer<typeof ApplyAnswer>;

export const FileDiff = z.object({
  path: z.string(),
  status: z.enum(['added', 'changed', 'removed']),
  ...{ added: Count, removed: Count, isBinary: z.boolean(), isChangedSince: z.boolean() },
  isByCommand: z.boolean().describe('Only commands changed it, no tool wrote it'),
  /** Why it cannot be shown; ''. */
  problem: z.string(),
  /** A unified diff; left out in the list of all files. */
  patch: z.string().optional(),
});
export type FileDiff = z.infer<typeof FileDiff>;
export const Diff = z.object({ files: z.array(FileDiff) });
export type Diff = z.infer<typeof Diff>;

/** Events with their ids, for programs that poll. `event` is one of those in `docs/library.md`. */
export const HistoryPage = z.object({
  events: z.array(z.object({ id: z.string(), event: z.looseObject({ type: z.string() }) })),
  next: z.string().nullable(),
});
export type HistoryPage = z.infer<typeof HistoryPage>;
export const RecordAnswer = z.looseObject({ type: z.string(), seq: Count, ts: Time });

export const RunPlan = z.object({
  goal: z.string(),
  /** `null`: there is none yet. */
  plan: Plan.nullable(),
  activeSubtask: z.string().nullable(),
  /** How often the plan was made anew. */
  replans: Count,
});
export type RunPlan = z.infer<typeof RunPlan>;

const BlockedCall = z.object({
  tool: z.string(),
  target: z.string(),
  rule: z.string().describe('Which rule against going in circles'),
  at: Time,
});

/** What a run knows about its files, commands and errors: the latest of each. */
export const RunFacts = z.object({
  files: z.array(
    z.object({ path: z.string(), isWritten: z.boolean(), problems: z.array(z.string()) }),
  ),
  commands: z.array(
    z.object({
      cmd: z.string(),
      subtask: z.string(),
      status: z.string(),
      exitCode: z.number().int().nullable(),
      /** The beginning of its output. */
      head: z.string(),
    }),
  ),
  errors: z.array(z.object({ text: z.string(), seq: Count, isMended: z.boolean() })),
  proof: z.object({ passed: z.boolean(), text: z.string() }).nullable(),
  /** Calls that the loop detector refuses until something changes, and those that it refused before. */
  loops: z.object({ blocked: z.array(BlockedCall), lifted: z.array(BlockedCall) }),
});
export type RunFacts = z.infer<typeof RunFacts>;

/** A piece of a call's output; positions count characters. */
export const OutputPiece = z.object({
  action: z.string(),
  from: Count,
  text: z.string(),
  total: Count,
  next: Count.nullable().describe('For `from`; null at the end'),
});
export type OutputPiece = z.infer<typeof OutputPiece>;

/** Without a key the answer only shows what would be done, with the key of that plan. */
export const AgreedBody = z.strictObject({ agreed: BoundedText(200).optional() });
export type AgreedBody = z.infer<typeof AgreedBody>;

const Paths = z.array(z.string());

export const AdoptAnswer = z.object({
  outcome: z.enum(['planned', 'adopted', 'own']),
  /** '' if there is nothing to agree to. */
  key: z.string(),
  goal: z.string(),
  next: Paths.describe('What it would do first'),
  dropped: z.object({ addresses: Paths, grants: Paths }).describe('What counts no more'),
});
export type AdoptAnswer = z.infer<typeof AdoptAnswer>;

export const RepairAnswer = z.object({
  outcome: z.enum(['planned', 'repaired', 'nothing']),
  key: z.string(),
  found: Paths,
  kept: Paths,
  lost: Paths,
  detail: z.string(),
  /** Where the damaged bytes are now; `null` if nothing was moved. */
  quarantine: z.string().nullable(),
});
export type RepairAnswer = z.infer<typeof RepairAnswer>;
