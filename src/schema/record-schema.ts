import * as z from 'zod';

export const recordSchema = <Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
) => z.object({ type: z.literal(type), ...shape });
