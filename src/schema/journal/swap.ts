/** A set of changes that stay or go as one: what the run found, and what it made of it. */
import * as z from 'zod';
import { FileChange } from '../actions.ts';

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

/** A file that stays as it is, and why. */
export const LeftAlone = z.object({ path: z.string(), why: z.string() });
export type LeftAlone = z.infer<typeof LeftAlone>;

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
    /** Changed files that are not in the set. */
    left: z.array(LeftAlone).optional(),
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

/** Changes that are out of the folder and kept, for people and programs. */
export const Withheld = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      change: z.enum(['new', 'changed', 'removed']),
      /** As `diff -u` prints it; '' where one of the two is no text, or may hold keys. */
      diff: z.string(),
    }),
  ),
});
export type Withheld = z.infer<typeof Withheld>;

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
  /** Files that held neither side, or could not be kept or written, and stay as they are. */
  readonly left: readonly LeftAlone[];
  readonly isFinished: boolean;
}

interface Known {
  readonly swap?: Swap;
  readonly undo: { readonly finished: boolean } | null;
}

/** A swap was cut off, and the next start finishes it. */
export const isSwapping = ({ swap }: Pick<Known, 'swap'>): boolean => swap?.isFinished === false;

/** They are kept, and the folder is as before the run. */
export const isWithheld = ({ swap, undo }: Known): boolean =>
  swap?.to === 'before' && swap.isFinished && swap.count > 0 && undo?.finished !== true;

/** Files that are not as the run left them: its changes of them are withheld. */
export const withheldPaths = (state: Known): ReadonlySet<string> => {
  if (!isWithheld(state) || state.swap === undefined) return new Set();
  const left = new Set(state.swap.left.map(({ path }) => path));
  return new Set(state.swap.done.filter((path) => !left.has(path)));
};
