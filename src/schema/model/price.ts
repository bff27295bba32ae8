import * as z from 'zod';

/** US dollars per million tokens. */
export const Rates = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});
export type Rates = z.infer<typeof Rates>;

export const Price = Rates.extend({
  /** If long prompts cost more: above this many tokens, `rates` apply to the whole request. */
  long: z.object({ above: z.number(), rates: Rates }).optional(),
});
export type Price = Readonly<z.infer<typeof Price>>;
