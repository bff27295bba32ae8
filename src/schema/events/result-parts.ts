/** The parts of the last event that concern files. Schemas are made when an event is first read. */
import * as z from 'zod';

const Paths = z.array(z.string());

export const byCommands = () =>
  z.object({
    changed: Paths,
    removed: Paths,
    made: Paths,
    notKept: Paths,
    unseen: Paths,
    putBack: Paths.optional(),
    more: z.number().int(),
  });

/** Compares what an achieved run left in the folder with its content when the goal is given again. */
export const sinceEnd = () =>
  z.object({
    /** False if part of the journal is unreadable, so that files may be missing here. */
    isComplete: z.boolean(),
    /** How many of the files that the run made, changed or removed were compared. */
    compared: z.number().int(),
    /** Files that differ from what the run left. `unknown`: unreadable, or its folder leads elsewhere. */
    differs: z.array(
      z.object({ path: z.string(), is: z.enum(['changed', 'removed', 'made', 'unknown']) }),
    ),
    /** Files that commands changed and of which nothing was kept. */
    notCompared: Paths,
  });
export type SinceEnd = z.infer<ReturnType<typeof sinceEnd>>;

/** Whether everything that proved the goal is still as it was, as far as that is known. */
export const isAsLeft = ({ isComplete, differs }: SinceEnd): boolean =>
  isComplete && differs.length === 0;
