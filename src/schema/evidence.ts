/** What a run is found to have shown before it ends. */
import { z } from 'zod';

/** What became of a file that the goal names. */
export const NamedFact = z.object({
  path: z.string(),
  became: z.enum(['made', 'changed', 'removed', 'used', 'not_known']),
});
export type NamedFact = z.infer<typeof NamedFact>;
