/** What is kept of the user's files before a command, what a command left, and what an undo does. */
import * as z from 'zod';
import { FileChange } from '../actions.ts';

/** Why a file is not kept, so that what a command does to it cannot be undone. */
export const LeftWhy = z.enum(['large', 'full', 'unreadable', 'name', 'too_many']);
export type LeftWhy = z.infer<typeof LeftWhy>;

/** Files that are not kept. `too_many` counts folders, which were not even looked into. */
export const SkippedFiles = z.object({
  count: z.number().int(),
  why: z.partialRecord(LeftWhy, z.number().int()),
  /** The first few. */
  names: z.array(z.string()),
});
export type SkippedFiles = z.infer<typeof SkippedFiles>;

/** A file that is not kept, after a command. */
export const Uncovered = z.object({
  path: z.string(),
  became: z.enum(['changed', 'made', 'removed']),
});
export type Uncovered = z.infer<typeof Uncovered>;

/**
 * Before the first command of a run, and before a later one where somebody brought in something
 * new: the user's files are in the blobs, and durably so.
 */
export const FilesKept = z.object({
  type: z.literal('files_kept'),
  /** A version that does not know this record may pass it over. */
  optional: z.literal(true),
  /** sha256 of the blob that says where each of them is. */
  manifest: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  left: SkippedFiles.optional(),
});
export type FilesKept = z.infer<typeof FilesKept>;

/** What is different in the workspace after a command; durable before its outcome is. */
export const FilesChanged = z.object({
  type: z.literal('files_changed'),
  optional: z.literal(true),
  /** The command's intent. */
  id: z.string(),
  /**
   * `unknown`: the run was cut off, and nobody saw whether the command did it or somebody else. `engine`: what
   * the command did to files of the user's was put back.
   */
  by: z.enum(['command', 'unknown', 'engine']),
  /** A person, or a rule of the user's, allowed this very command. */
  allowed: z.literal(true).optional(),
  files: z.array(FileChange),
  /** Those that are too many for a line, and the sha256 of the blob that has them. */
  more: z.object({ blob: z.string(), count: z.number().int() }).optional(),
  /** Folders that were made, outermost first. */
  folders: z.array(z.string()).optional(),
  uncovered: z.array(Uncovered).optional(),
});
export type FilesChanged = z.infer<typeof FilesChanged>;

export const COMMAND_RECORDS = [FilesKept, FilesChanged] as const;

/** One file of an undo. */
export const FILE_RESTORED = z.object({
  type: z.literal('file_restored'),
  path: z.string(),
  /** As it is now; `null`: there is none. */
  hash: z.string().nullable(),
  /** Why it was left alone, or ''. */
  skipped: z.string(),
  /** sha256 of the blob with what a command, or somebody meanwhile, had left there. */
  replaced: z.string().optional(),
});

/** One kept file as it lay there; its content is a piece of a pack. */
const KeptFile = z.object({
  path: z.string(),
  hash: z.string(),
  size: z.number().int(),
  mode: z.number().int(),
  mtimeMs: z.number(),
  changedMs: z.number().optional(),
  inode: z.number().optional(),
  /** False where a write in the same instant would not have shown in its times. */
  isSure: z.boolean(),
  /** Index in `packs`. */
  pack: z.number().int(),
  offset: z.number().int(),
});
export type KeptFile = z.infer<typeof KeptFile>;

export const Manifest = z.object({
  version: z.literal(1),
  /** Blobs that hold the contents of many files one after the other. */
  packs: z.array(z.object({ blob: z.string(), size: z.number().int() })),
  files: z.array(KeptFile),
  /** Paths that were there and are not kept. */
  left: z.array(z.string()),
  /** True where every folder was looked into. */
  isWhole: z.boolean(),
});
export type Manifest = z.infer<typeof Manifest>;
