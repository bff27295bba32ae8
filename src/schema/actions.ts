import * as z from 'zod';
import { StoredText } from './text.ts';

/** How an intent without an outcome is settled after a crash (docs/internals/recovery.md). */
export const ActionClass = z.enum(['read', 'write', 'command', 'check', 'control']);
export type ActionClass = z.infer<typeof ActionClass>;

export const ActionStatus = z.enum([
  'ok',
  'error',
  'timeout',
  'denied',
  'blocked',
  'cancelled',
  'interrupted',
  'conflict',
  'not_run',
  /** The server of the tool refused the call, or answered what is none. */
  'mcp_error',
  /** The server of the tool could not be reached, or went away. */
  'connection_error',
]);
export type ActionStatus = z.infer<typeof ActionStatus>;

/** What carrying a call out reaches. `files`: it changes some, all of them named in its intent. */
export const Touches = z.enum(['nothing', 'reads', 'files', 'process', 'network']);
export type Touches = z.infer<typeof Touches>;

/** What a tool can be asked for by those who do not know its name. */
export const Capability = z.enum([
  'writes_whole_files',
  'edits_files',
  'rearranges_files',
  'reads_files',
  'lists_folders',
  'runs_commands',
  'ends_subtasks',
  'sets_plan',
  'gives_up',
]);
export type Capability = z.infer<typeof Capability>;

/** The tools of a run by what they do; '' where it has none. */
export type ToolNames = { readonly [does in Capability]: string };

/**
 * Where a program is started, so that a later start can judge what it finds of it. `boot` and
 * `pidNamespace` as in the lock (docs/internals/state-format.md).
 */
export const ProcessPlace = z.object({
  /** The machine, as in the lock; left out by builds before format 3. */
  host: z.string().optional(),
  boot: z.string(),
  /** '' where the system has no pid namespaces. */
  pidNamespace: z.string(),
  /** True where a program begins only once the record of its start is written. */
  isGated: z.boolean(),
  /** What the environments of its programs begin with (docs/internals/state-format.md); Linux. */
  mark: z.string().optional(),
});
export type ProcessPlace = z.infer<typeof ProcessPlace>;

/** One file an action changes. Hashes are sha256 in hex, `null` where the file does not exist. */
export const FileChange = z.object({
  /** Relative to the workspace, with `/`. */
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Permission bits of the file before; absent where there was none. */
  mode: z.number().int().optional(),
  /** Permission bits after, where the action sets them: they are part of the change. */
  modeAfter: z.number().int().optional(),
  /** The path whose content this one takes over. */
  from: z.string().optional(),
  /** It is no file but an empty folder, made or removed; both hashes are `null` then. */
  folder: z.enum(['made', 'removed']).optional(),
  /** Folders made for it, outermost first, relative, with `/`. */
  createdDirs: z.array(z.string()).optional(),
  /** Lines that came and went; absent where one of the two is no text. */
  lines: z.object({ added: z.number().int(), removed: z.number().int() }).optional(),
  /** What is lost by it, where it is much and was insisted on: `add, sub and 12 of 40 lines`. */
  drops: z.string().optional(),
});
export type FileChange = z.infer<typeof FileChange>;

/** What generic looks say about one file: `problems` is empty when nothing speaks against it. */
export const FileFacts = z.object({
  path: z.string(),
  exists: z.boolean(),
  problems: z.array(z.string()),
  /** Importable names with their signatures: `add(a, b)`. */
  defines: z.array(z.string()).optional(),
  /** What the program asks its user. */
  prompts: z.array(z.string()).optional(),
});
export type FileFacts = z.infer<typeof FileFacts>;

/** How a file has to do with a failure: its output names it, it was run, or one of these uses it. */
export const Involvement = z.enum(['said', 'run', 'used']);
export type Involvement = z.infer<typeof Involvement>;

export const InvolvedFile = z.object({ path: z.string(), how: Involvement });
export type InvolvedFile = z.infer<typeof InvolvedFile>;

/** A command ended and printed nothing, not what it was to print, or only how it is used. */
export const Shortfall = z.enum(['silent', 'output', 'usage']);
export type Shortfall = z.infer<typeof Shortfall>;

/** What a finished action says about the world, beside its text. */
export const ActionFacts = z.object({
  exitCode: z.number().int().nullable().optional(),
  durationMs: z.number().optional(),
  /** What a program printed, apart; the result has both as they came. `truncated`: not all of it. */
  printed: z.object({ stdout: StoredText, stderr: StoredText, truncated: z.boolean() }).optional(),
  files: z.array(FileFacts).optional(),
  /** True when the workspace differs from before the action, caches and logs apart. */
  changed: z.boolean().optional(),
  /** Of a command that changed it: one word for all that is in the workspace since. */
  workspace: z.string().optional(),
  /** What the program itself printed before it wanted input it did not get. */
  asksForInput: z.string().optional(),
  /** It was refused: by a rule, by a person, or since nobody could be asked. */
  refused: z.literal(true).optional(),
  /** Of a command: its program is not here, or it could not be started. */
  notStarted: z.literal(true).optional(),
  /** Tests that failed, where the runner counts them. */
  failingTests: z.number().int().optional(),
  /** Of a run of tests: how many, and the first that failed, in a line. */
  tests: z
    .object({
      failed: z.number().int(),
      passed: z.number().int().nullable(),
      first: z.string().optional(),
    })
    .optional(),
  /** Of a command that failed: all it was to do was to show something, and it ran no tests. */
  onlyLooked: z.literal(true).optional(),
  /** `none`: it ran tests, and its runner found none. */
  testsRan: z.literal('none').optional(),
  /** Of a check that ended well and did not pass: what it lacks. */
  shortfall: Shortfall.optional(),
  /** Of a command that failed: the files it may lie in, the most telling first. */
  involved: z.array(InvolvedFile).optional(),
  /** Of a command that failed before the run had changed anything: what failed, a short hash each. */
  failing: z.array(z.string()).optional(),
  /** Of a checker that nobody ran before the run changed something: what fails now, a short hash each. */
  failingNow: z.array(z.string()).optional(),
  /** Of a command that failed: no more of it fails than before the run had changed anything. */
  asBefore: z.literal(true).optional(),
  /** Of a completion: false when its gate opened only because it may not stay closed for ever. */
  evidence: z.boolean().optional(),
  /** Of a command that was tried in the copy and not run: given files that it changed there. */
  overwrites: z.array(z.string()).optional(),
  /** sha256 of a whole content that was not written, since it loses much of what was there. */
  withheld: z.string().optional(),
  /** Of a call that could not be carried out as it was: there is no such tool, or not with these arguments. */
  fault: z.enum(['tool', 'arguments']).optional(),
  /** The same by path, where several contents were held back. */
  withheldFiles: z.record(z.string(), z.string()).optional(),
  /** Files whose whole text stands in the result: one that was not cut. */
  shows: z.array(z.string()).optional(),
});
export type ActionFacts = z.infer<typeof ActionFacts>;

/** What a model says when it ends the active subtask. */
export const Claim = z.object({
  success: z.boolean(),
  reason: z.string().optional(),
  /** The text that is the result, where the goal asks for one. */
  answer: StoredText.optional(),
  /** What was wrong, what changed and what else was seen, for the person. */
  summary: StoredText.optional(),
  /** The subtasks it ends, in this order; left out: the active one. */
  ids: z.array(z.string()).readonly().optional(),
});

export interface Claim {
  readonly success: boolean;
  readonly reason?: string | undefined;
  readonly answer?: string | undefined;
  readonly summary?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** What a model says when it gives the goal up. */
export const GivenUp = z.object({
  reason: z.string(),
  /** What a person would have to give or do. */
  needs: z.string().optional(),
});
export type GivenUp = z.infer<typeof GivenUp>;

/** What a tool says back: text for the model, a status, and facts. A tool never throws. */
export interface ToolResult {
  readonly status: ActionStatus;
  /** Already cut to the size the model may see. */
  readonly content: string;
  /** The whole text, where `content` was cut. */
  readonly fullContent?: string;
  /** Of a program that was run: what it printed, as much of it as was kept. */
  readonly output?: string;
  /** Of a program that was run: how it ended, in the words `content` begins with. */
  readonly ending?: string;
  /** Of an edit that was not made: the file whose present text it does not fit. */
  readonly misfit?: string;
  /** What the outcome asks for next, without the word `Hint`. */
  readonly hint?: string;
  readonly facts?: ActionFacts;
  /** Of a call that ends the active subtask: what it says. */
  readonly claim?: Claim;
  /** Of a call that gives the goal up. */
  readonly givesUp?: GivenUp;
  /** sha256 of the files it saw whole or changed, `null` where there is none, by relative path. */
  readonly hashes?: { readonly [path: string]: string | null };
}
