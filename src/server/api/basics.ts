/** Small schemas that others are made of. */
import * as z from 'zod';

export const Time = z.number().int().describe('Milliseconds since 1970');
export const Words = (most: number) => z.string().min(1).max(most);
/** What a person says: more than white space. */
export const Message = Words(1_000_000).regex(/\S/, 'It is empty');
export const Rules = z.array(Words(2000)).max(100);
export const Count = z.number().int().min(0);

export const MODEL = { model: Words(300).optional(), provider: Words(100).optional() };

export const WISHES = {
  withTests: z.boolean().optional().describe('True: claim nothing without tests of its own'),
  keep: z.boolean().optional().describe("True: a small model's changes stay, proved or not"),
  fallbacks: z.array(Words(300)).max(20).optional().describe('Models, if the first one fails'),
};
