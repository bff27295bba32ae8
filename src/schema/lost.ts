import * as z from 'zod';

/** What a file that was there has lost because the model insisted on it, as the run ended. */
export const Lost = z.object({ path: z.string(), drops: z.string() });
export type Lost = z.infer<typeof Lost>;
