/** A set of changes that stay or go together: what the run found, and what it made of it. */
import * as z from 'zod';
import { FileChange } from '../actions.ts';
import { recordSchema } from '../record-schema.ts';

/** Which side of the set is in the folder: as before the run, or as the run left it. */
export const SwapSide = z.enum(['before', 'run']);
export type SwapSide = z.infer<typeof SwapSide>;

/** A folder that the run created or removed, with its permission bits. */
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
  /** The contents of both sides are durably in the blobs. */
  recordSchema('swap_started', {
    to: SwapSide,
    /** `before` and `mode` are one side of a file, `after` and `modeAfter` the other. */
    files: z.array(FileChange),
    /** The number of files that do not fit into a line, and the sha256 of the blob with them. */
    more: z.object({ blob: z.string(), count: z.number().int() }).optional(),
    folders: z.array(FolderChange).optional(),
    /** Changed files that are not in the set. */
    left: z.array(LeftAlone).optional(),
    /** A person accepted the changes: they are not withheld again. */
    accepted: z.literal(true).optional(),
  }),
  /** One file durably has the content of that side now. */
  recordSchema('file_swapped', {
    path: z.string(),
    /** The current content; `null`: no file. */
    hash: z.string().nullable(),
    /** Why it was left alone; empty if it was not. */
    skipped: z.string(),
  }),
  recordSchema('swap_finished', {}),
] as const;

/** Changes that were taken out of the folder and kept, for people and programs. */
export const Withheld = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      change: z.enum(['new', 'changed', 'removed']),
      /** As `diff -u` prints it; empty if one side is not text or may hold secrets. */
      diff: z.string(),
    }),
  ),
});
export type Withheld = z.infer<typeof Withheld>;

/** The last swap of a run. */
export interface Swap {
  readonly to: SwapSide;
  /** The seq of its `swap_started`. */
  readonly seq: number;
  /** The offset of its `swap_started` in the journal. */
  readonly offset: number;
  /** Files of the set. */
  readonly count: number;
  /** Files that are finished. */
  readonly done: readonly string[];
  /** Files that had the content of neither side, or could not be kept or written; they stay as they are. */
  readonly left: readonly LeftAlone[];
  readonly isFinished: boolean;
}

interface Known {
  readonly swap?: Swap;
  readonly undo: { readonly finished: boolean } | null;
}

/** A swap was cut off; the next start finishes it. */
export const isSwapping = ({ swap }: Pick<Known, 'swap'>): boolean => swap?.isFinished === false;

/** The changes are kept, and the folder is as before the run. */
export const isWithheld = ({ swap, undo }: Known): boolean =>
  swap?.to === 'before' && swap.isFinished && swap.count > 0 && undo?.finished !== true;

/** Files that are not as the run left them, because their changes are withheld. */
export const withheldPaths = (state: Known): ReadonlySet<string> => {
  if (!isWithheld(state) || state.swap === undefined) return new Set();
  const left = new Set(state.swap.left.map(({ path }) => path));
  return new Set(state.swap.done.filter((path) => !left.has(path)));
};
