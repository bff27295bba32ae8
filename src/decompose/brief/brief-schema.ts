/** The schema of a brief for guided models: small and tight, so that models do not pad their answers. */
import type { JsonSchema } from '../../schema/model/turn.ts';
import { closedSchema, textSchema } from '../plan-schema.ts';

const MAX_EXAMPLES = 3;
const MAX_FILES = 3;
const LONGEST_INPUT = 80;
const LONGEST_RESULT = 200;
const LONGEST_PATH = 60;

/**
 * Key names are sorted in the order of thought, because some servers emit them alphabetically.
 * @param parts the number of parts of the goal
 */
export function briefSchemaOf(parts: number): JsonSchema {
  const numbers = Array.from({ length: parts }, (_, index) => index + 1);
  const goal_part = { enum: numbers };
  return closedSchema({
    asks_for: { enum: ['question', 'work'] },
    examples: {
      type: 'array',
      maxItems: MAX_EXAMPLES,
      items: closedSchema({
        goal_part,
        how: { enum: ['call', 'command', 'typed'] },
        input: textSchema(LONGEST_INPUT),
        result: textSchema(LONGEST_RESULT, 0),
      }),
    },
    keep: {
      type: 'array',
      maxItems: MAX_FILES,
      items: closedSchema({ goal_part, path: textSchema(LONGEST_PATH) }),
    },
    tests: { enum: [0, ...numbers] },
  });
}
