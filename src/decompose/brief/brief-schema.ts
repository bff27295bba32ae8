/** The schema of a brief for guided models: small and tight, so that models do not pad their answers. */
import type { JsonSchema } from '../../schema/model/turn.ts';
import { closed, text } from '../plan-schema.ts';

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
  return closed({
    asks_for: { enum: ['question', 'work'] },
    examples: {
      type: 'array',
      maxItems: MAX_EXAMPLES,
      items: closed({
        goal_part,
        how: { enum: ['call', 'command', 'typed'] },
        input: text(LONGEST_INPUT),
        result: text(LONGEST_RESULT, 0),
      }),
    },
    keep: {
      type: 'array',
      maxItems: MAX_FILES,
      items: closed({ goal_part, path: text(LONGEST_PATH) }),
    },
    tests: { enum: [0, ...numbers] },
  });
}
