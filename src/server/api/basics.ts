/** Small schemas that others are made of. */
import * as z from 'zod';

export const Time = z.number().int().describe('Milliseconds since 1970');
export const Words = (most: number) => z.string().min(1).max(most);
export const Count = z.number().int().min(0);

export const MODEL = { model: Words(300).optional(), provider: Words(100).optional() };
