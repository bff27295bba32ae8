/** Small schemas that others are made of. */
import * as z from 'zod';

export const Time = z.number().int().describe('Milliseconds since 1970');
export const BoundedText = (most: number) => z.string().min(1).max(most);
/** What a person says: more than white space. */
export const MessageText = BoundedText(1_000_000).regex(/\S/, 'It is empty');
export const Rules = z.array(BoundedText(2000)).max(100);
export const Count = z.number().int().min(0);

export const MODEL = { model: BoundedText(300).optional(), provider: BoundedText(100).optional() };

export const WISH_BODY = {
  withTests: z.boolean().optional().describe('True: claim nothing without tests of its own'),
  keep: z.boolean().optional().describe("True: a small model's changes stay, proved or not"),
  fallbacks: z
    .array(BoundedText(300))
    .max(20)
    .optional()
    .describe('Models, if the first one fails'),
};
