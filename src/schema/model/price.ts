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
  /** Where a request with a long prompt costs more: `rates` hold for all of it. */
  long: z.object({ above: z.number(), rates: Rates }).optional(),
});
export type Price = Readonly<z.infer<typeof Price>>;
