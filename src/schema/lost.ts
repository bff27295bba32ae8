import * as z from 'zod';

/** What an existing file had lost at the end of the run because the model insisted on it. */
export const Lost = z.object({ path: z.string(), drops: z.string() });
export type Lost = z.infer<typeof Lost>;
