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
  /** The tool's server refused the call, or sent something that is not an answer. */
  'mcp_error',
  /** The tool's server could not be reached, or went away. */
  'connection_error',
]);
export type ActionStatus = z.infer<typeof ActionStatus>;

/** What carrying out a call reaches. `files`: it changes files, all of them named in its intent. */
export const Touches = z.enum(['nothing', 'reads', 'files', 'process', 'network']);
export type Touches = z.infer<typeof Touches>;

/** The capabilities by which callers find a tool without knowing its name. */
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

/** The tools of a run by capability; empty if it has none. */
export type ToolNames = { readonly [does in Capability]: string };

/**
 * Where a program is started, so that a later start can judge what it finds. `boot` and `pidNamespace` as in
 * the lock (docs/internals/state-format.md).
 */
export const ProcessPlace = z.object({
  /** The machine, as in the lock; left out by builds before format 3. */
  host: z.string().optional(),
  boot: z.string(),
  /** Empty if the system has no pid namespaces. */
  pidNamespace: z.string(),
  /** True if a program begins only after its start is recorded. */
  isGated: z.boolean(),
  /** The prefix of the mark in its programs' environments (docs/internals/state-format.md); Linux only. */
  mark: z.string().optional(),
});
export type ProcessPlace = z.infer<typeof ProcessPlace>;

/** One file that an action changes. Hashes are sha256 in hex; `null`: the file does not exist. */
export const FileChange = z.object({
  /** Relative to the workspace, with `/`. */
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Permission bits before; absent if there was no file. */
  mode: z.number().int().optional(),
  /** Permission bits after, if the action sets them as part of the change. */
  modeAfter: z.number().int().optional(),
  /** The path whose content this one takes over. */
  from: z.string().optional(),
  /** Set for an empty folder that was created or removed; both hashes are then `null`. */
  folder: z.enum(['made', 'removed']).optional(),
  /** Folders created for it, outermost first, relative, with `/`. */
  createdDirs: z.array(z.string()).optional(),
  /** Lines added and removed; absent if one side is not text. */
  lines: z.object({ added: z.number().int(), removed: z.number().int() }).optional(),
  /** What the change loses, if that is much and the model insisted: `add, sub and 12 of 40 lines`. */
  drops: z.string().optional(),
});
export type FileChange = z.infer<typeof FileChange>;

/** What general checks say about one file; `problems` is empty if there are none. */
export const FileFacts = z.object({
  path: z.string(),
  exists: z.boolean(),
  problems: z.array(z.string()),
  /** Importable names with their signatures: `add(a, b)`. */
  defines: z.array(z.string()).optional(),
  /** The prompts that the program prints for its user. */
  prompts: z.array(z.string()).optional(),
});
export type FileFacts = z.infer<typeof FileFacts>;

/** How a file is involved in a failure: the output names it, it was run, or one of those files uses it. */
export const Involvement = z.enum(['said', 'run', 'used']);
export type Involvement = z.infer<typeof Involvement>;

export const InvolvedFile = z.object({ path: z.string(), how: Involvement });
export type InvolvedFile = z.infer<typeof InvolvedFile>;

/** A command succeeded but printed nothing, not the expected output, or only its usage. */
export const Shortfall = z.enum(['silent', 'output', 'usage']);
export type Shortfall = z.infer<typeof Shortfall>;

/** What a finished action says about the world, in addition to its text. */
export const ActionFacts = z.object({
  exitCode: z.number().int().nullable().optional(),
  durationMs: z.number().optional(),
  /** A program's output, separated by stream; the result has both interleaved. `truncated`: incomplete. */
  printed: z.object({ stdout: StoredText, stderr: StoredText, truncated: z.boolean() }).optional(),
  files: z.array(FileFacts).optional(),
  /** True if the workspace changed during the action; caches and logs do not count. */
  changed: z.boolean().optional(),
  /** For a command that changed the workspace: a hash of everything in it afterwards. */
  workspace: z.string().optional(),
  /** What the program printed before it waited for input that it did not get. */
  asksForInput: z.string().optional(),
  /** Set if it was refused: by a rule, by a person, or because nobody could be asked. */
  refused: z.literal(true).optional(),
  /**
   * For a refused command whose program a tool replaces: the files and folders that it names. If none of them
   * exists, the paths that it names, each with a `/` after it.
   */
  replaced: z.array(z.string()).optional(),
  /** For a call that a rule refused: the user's rules that would allow it. */
  allowedBy: z.array(z.string()).optional(),
  /** For a command: its program is missing, or could not be started. */
  notStarted: z.literal(true).optional(),
  /** How many tests failed, if the runner counts them. */
  failingTests: z.number().int().optional(),
  /** For a test run: how many tests, and the first that failed, on one line. */
  tests: z
    .object({
      failed: z.number().int(),
      passed: z.number().int().nullable(),
      first: z.string().optional(),
    })
    .optional(),
  /** For a failed command that only had to show something and ran no tests. */
  onlyLooked: z.literal(true).optional(),
  /** `none`: it was a test run, and the runner found no tests. */
  testsRan: z.literal('none').optional(),
  /** For a check that succeeded but did not pass: what is missing. */
  shortfall: Shortfall.optional(),
  /** For a failed command: the files that may contain the fault, most likely first. */
  involved: z.array(InvolvedFile).optional(),
  /** For a command that failed before the run had changed anything: its failures as short hashes. */
  failing: z.array(z.string()).optional(),
  /** For a checker first run after a change: its current failures as short hashes. */
  failingNow: z.array(z.string()).optional(),
  /** For a failed command: no more fails than before the run had changed anything. */
  asBefore: z.literal(true).optional(),
  /** For a completion: false if its gate opened only because it must not stay closed forever. */
  evidence: z.boolean().optional(),
  /** For a command that was tried in the copy but not run: existing files that it changed there. */
  overwrites: z.array(z.string()).optional(),
  /** The sha256 of a whole content that was not written because it loses much of the earlier one. */
  withheld: z.string().optional(),
  /** For a call that could not be carried out: there is no such tool, or its arguments do not fit. */
  fault: z.enum(['tool', 'arguments']).optional(),
  /** The same by path, if several contents were withheld. */
  withheldFiles: z.record(z.string(), z.string()).optional(),
  /** Files whose full text the result contains, uncut. */
  shows: z.array(z.string()).optional(),
});
export type ActionFacts = z.infer<typeof ActionFacts>;

/** What a model claims when it ends the active subtask. */
export const Claim = z.object({
  success: z.boolean(),
  reason: z.string().optional(),
  /** The text that the goal asked for. */
  answer: StoredText.optional(),
  /** For the person: what was wrong, what changed, and what else the model noticed. */
  summary: StoredText.optional(),
  /** The subtasks that it ends, in this order; left out: the active one. */
  ids: z.array(z.string()).readonly().optional(),
});

export interface Claim {
  readonly success: boolean;
  readonly reason?: string | undefined;
  readonly answer?: string | undefined;
  readonly summary?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** What a model says when it gives up the goal. */
export const GivenUp = z.object({
  reason: z.string(),
  /** What a person would have to grant or do. */
  needs: z.string().optional(),
});
export type GivenUp = z.infer<typeof GivenUp>;

/** What a tool returns: text for the model, a status, and facts. A tool never throws. */
export interface ToolResult {
  readonly status: ActionStatus;
  /** Already cut to the size that the model may see. */
  readonly content: string;
  /** The full text, if `content` was cut. */
  readonly fullContent?: string;
  /** For a program that ran: its output, as far as it was kept. */
  readonly output?: string;
  /** For a program that ran: how it ended, in the words that `content` begins with. */
  readonly ending?: string;
  /** For an edit that was not made: the file whose current text it does not fit. */
  readonly misfit?: string;
  /** What to do next, without the word `Hint`. */
  readonly hint?: string;
  readonly facts?: ActionFacts;
  /** For a call that ends the active subtask: what it claims. */
  readonly claim?: Claim;
  /** For a call that gives up the goal. */
  readonly givesUp?: GivenUp;
  /** The sha256 of files that it saw whole or changed, by relative path; `null`: no such file. */
  readonly hashes?: { readonly [path: string]: string | null };
}
