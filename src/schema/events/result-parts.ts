/** What the last event of a run says of files. Made when an event is first read. */
import * as z from 'zod';

const Paths = z.array(z.string());

export const byCommands = () =>
  z.object({
    changed: Paths,
    removed: Paths,
    made: Paths,
    notKept: Paths,
    unseen: Paths,
    more: z.number().int(),
  });

/** What a run that was achieved left in the folder, held against what lies there when its goal is given again. */
export const sinceEnd = () =>
  z.object({
    /** False where a part of its journal cannot be read, so that files may be missing here. */
    isComplete: z.boolean(),
    /** How many of the files that it made, changed or removed were compared. */
    compared: z.number().int(),
    /** Those that are not as the run left them. `unknown`: it cannot be read, or its folder leads elsewhere. */
    differs: z.array(
      z.object({ path: z.string(), is: z.enum(['changed', 'removed', 'made', 'unknown']) }),
    ),
    /** Files that commands changed and of which nothing is kept. */
    notCompared: Paths,
  });
export type SinceEnd = z.infer<ReturnType<typeof sinceEnd>>;

/** Whether what proved the goal is there as it was, as far as it is known. */
export const isAsLeft = ({ isComplete, differs }: SinceEnd): boolean =>
  isComplete && differs.length === 0;
