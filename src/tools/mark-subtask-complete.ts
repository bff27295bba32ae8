/** The one way a subtask ends. It changes nothing itself: the engine acts on it. */
import * as z from 'zod';
import { given } from '../lib/given.ts';
import type { Claim } from '../schema/actions.ts';
import { namesOf } from './aliases.ts';
import { zodSchema } from './args-schema.ts';
import type { Tool } from './contract.ts';
import { ok } from './result.ts';

const Args = z.object({
  success: z.boolean(),
  reason: z.string().optional(),
  answer: z.string().describe('the result, where the goal asks for text').optional(),
  summary: z
    .string()
    .describe('with the last: what was wrong, what changed, what else you saw')
    .optional(),
});

export const markSubtaskComplete: Tool<z.infer<typeof Args>> = {
  name: 'mark_subtask_complete',
  description: 'End the active subtask: success true when it is done, false when it cannot be.',
  args: zodSchema(Args),
  touches: 'nothing',
  settles: 'again',
  does: 'ends_subtasks',
  aliases: {
    names: namesOf('done finish complete attemptcompletion submit taskcomplete'),
    args: {
      success: ['succeeded', 'completed'],
      reason: ['message', 'why'],
      answer: ['result', 'output'],
    },
  },
  claim: claimOf,
  prepare: async (args) => ({
    kind: 'ready',
    files: [],
    perform: async () => {
      const claim = claimOf(args);
      // What was said against a subtask is why the plan is looked at again.
      const said = claim.reason ?? '';
      return ok(claim.success ? JSON.stringify({ status: 'subtask_complete' }) : said, { claim });
    },
  }),
};

function claimOf({ success, reason, answer, summary }: z.infer<typeof Args>): Claim {
  return { success, reason, answer, ...given({ summary }) };
}
