/** A set of changes that stay or go as one: what the run found, and what it made of it. */
import * as z from 'zod';
import { FileChange } from './actions.ts';

/** Which side of the set lies in the folder: as it was before the run, or as the run left it. */
export const Side = z.enum(['before', 'run']);
export type Side = z.infer<typeof Side>;

/** A folder that the run made or removed, with its permission bits. */
export const FolderChange = z.object({
  path: z.string(),
  became: z.enum(['made', 'removed']),
  mode: z.number().int(),
});
export type FolderChange = z.infer<typeof FolderChange>;

export const SWAP_RECORDS = [
  /** The contents of both sides are in the blobs, and durably so. */
  z.object({
    type: z.literal('swap_started'),
    to: Side,
    /** `before` and `mode` are one side of a file, `after` and `modeAfter` the other. */
    files: z.array(FileChange),
    /** Those that are too many for a line, and the sha256 of the blob that has them. */
    more: z.object({ blob: z.string(), count: z.number().int() }).optional(),
    folders: z.array(FolderChange).optional(),
    /** A person accepted the changes: they are not withheld again. */
    accepted: z.literal(true).optional(),
  }),
  /** One file holds that side now, durably. */
  z.object({
    type: z.literal('file_swapped'),
    path: z.string(),
    /** As it is now; `null`: there is none. */
    hash: z.string().nullable(),
    /** Why it was left alone, or ''. */
    skipped: z.string(),
  }),
  z.object({ type: z.literal('swap_finished') }),
] as const;

/** The last swap of a run. */
export interface Swap {
  readonly to: Side;
  /** Of its `swap_started`. */
  readonly seq: number;
  /** Where its `swap_started` stands in the journal. */
  readonly offset: number;
  /** Files of the set. */
  readonly count: number;
  /** Files that it is through with. */
  readonly done: readonly string[];
  /** Those of them that held neither side, or could not be written, and stay as they are. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
  readonly isFinished: boolean;
}
