/** Records of what is kept of the user's files before a command, what a command changed, and what an undo does. */
import * as z from 'zod';
import { FileChange } from '../actions.ts';
import { recordSchema } from '../record-schema.ts';

/** Why a file is not kept, so that a command's change to it cannot be undone. */
export const LeftWhy = z.enum(['large', 'full', 'unreadable', 'name', 'too_many']);
export type LeftWhy = z.infer<typeof LeftWhy>;

/** Files that are not kept. `too_many` counts folders that were not even examined. */
export const SkippedFiles = z.object({
  count: z.number().int(),
  why: z.partialRecord(LeftWhy, z.number().int()),
  /** The first few. */
  names: z.array(z.string()),
});
export type SkippedFiles = z.infer<typeof SkippedFiles>;

/** A file that is not kept and changed during a command. */
export const Uncovered = z.object({
  path: z.string(),
  became: z.enum(['changed', 'made', 'removed']),
});
export type Uncovered = z.infer<typeof Uncovered>;

/**
 * Written before the first command of a run, and before a later one if someone added something new: the user's
 * files are durably in the blobs.
 */
export const FilesKept = recordSchema('files_kept', {
  /** A version that does not know this record may skip it. */
  optional: z.literal(true),
  /** The sha256 of the blob that says where each of them is. */
  manifest: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  left: SkippedFiles.optional(),
});
export type FilesKept = z.infer<typeof FilesKept>;

/** The differences in the workspace after a command; durable before its outcome is. */
export const FilesChanged = recordSchema('files_changed', {
  optional: z.literal(true),
  /** The command's intent. */
  id: z.string(),
  /**
   * `unknown`: nobody saw whether the command or someone else made the change, because the run was cut off, or
   * because someone else writes the file too.
   * `engine`: the command's change to the user's files was reverted.
   */
  by: z.enum(['command', 'unknown', 'engine']),
  /** A person, or a user's rule, allowed exactly this command. */
  allowed: z.literal(true).optional(),
  files: z.array(FileChange),
  /** The number of files that do not fit into a line, and the sha256 of the blob with them. */
  more: z.object({ blob: z.string(), count: z.number().int() }).optional(),
  /** Folders that were created, outermost first. */
  folders: z.array(z.string()).optional(),
  uncovered: z.array(Uncovered).optional(),
});
export type FilesChanged = z.infer<typeof FilesChanged>;

export const COMMAND_RECORDS = [FilesKept, FilesChanged] as const;

/** One file of an undo. */
export const FILE_RESTORED = recordSchema('file_restored', {
  path: z.string(),
  /** The current content; `null`: no file. */
  hash: z.string().nullable(),
  /** Why it was left alone; empty if it was not. */
  skipped: z.string(),
  /** The sha256 of the blob with what a command, or someone in the meantime, had left there. */
  replaced: z.string().optional(),
});

/** One kept file; its content is a piece of a pack. */
const KeptFile = z.object({
  path: z.string(),
  hash: z.string(),
  size: z.number().int(),
  mode: z.number().int(),
  mtimeMs: z.number(),
  changedMs: z.number().optional(),
  inode: z.number().optional(),
  /** False if a write at the same instant would not have changed its times. */
  isSure: z.boolean(),
  /** Index in `packs`. */
  pack: z.number().int(),
  offset: z.number().int(),
});
export type KeptFile = z.infer<typeof KeptFile>;

export const Manifest = z.object({
  version: z.literal(1),
  /** Blobs that contain the contents of many files in sequence. */
  packs: z.array(z.object({ blob: z.string(), size: z.number().int() })),
  files: z.array(KeptFile),
  /** Existing paths that are not kept. */
  left: z.array(z.string()),
  /** True if every folder was examined. */
  isWhole: z.boolean(),
});
export type Manifest = z.infer<typeof Manifest>;
