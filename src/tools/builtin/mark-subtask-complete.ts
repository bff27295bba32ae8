/** The only way to end a subtask. The tool itself changes nothing: the engine acts on it. */
import * as z from 'zod';
import { defined } from '../../lib/defined.ts';
import { shortened } from '../../lib/text/shortened.ts';
import type { Claim } from '../../schema/actions.ts';
import { splitNames } from '../calls/aliases.ts';
import { type CallArgs, zodSchema } from '../calls/args-schema.ts';
import type { Tool } from '../contract.ts';
import { ok, ready } from '../result.ts';

const Args = z.object({
  success: z.boolean(),
  reason: z.string().optional(),
  answer: z.string().describe('the result, where the goal asks for text').optional(),
  summary: z.string().describe('with the last one').optional(),
  ids: z.array(z.string()).describe('subtasks to end, in order, else the active one').optional(),
});

/** Characters; reasons appear in prompts, plans and reports. */
const MAX_REASON = 600;

export const markSubtaskComplete: Tool<z.infer<typeof Args>> = {
  name: 'mark_subtask_complete',
  description: 'End the active subtask: success true when it is done, false when it cannot be.',
  args: zodSchema(Args),
  touches: 'nothing',
  afterCrash: 'repeat',
  does: 'ends_subtasks',
  argsForCalls: ['summary', 'ids'],
  aliases: {
    names: splitNames('done finish complete attemptcompletion submit taskcomplete'),
    args: {
      success: ['succeeded', 'completed'],
      reason: ['message', 'why'],
      answer: ['result', 'output'],
      ids: ['subtasks', 'subtask_ids', 'subtask', 'id'],
    },
  },
  correctArgs: withIdList,
  claim: claimOf,
  prepare: async (args) =>
    ready(async () => {
      const claim = claimOf(args);
      // The reason for a failed subtask is the reason for reconsidering the plan.
      const said = claim.reason ?? '';
      return ok(claim.success ? JSON.stringify({ status: 'subtask_complete' }) : said, { claim });
    }),
};

function claimOf({ success, reason, answer, summary, ids }: z.infer<typeof Args>): Claim {
  return {
    success,
    reason: reason === undefined ? undefined : shortened(reason, MAX_REASON),
    answer,
    ...defined({ summary, ids }),
  };
}

/** A single subtask becomes a list of one. */
function withIdList(args: CallArgs): CallArgs {
  const { ids } = args;
  return typeof ids === 'string' || typeof ids === 'number'
    ? {
        ...args,
        ids: String(ids)
          .split(/[\s,]+/)
          .filter(Boolean),
      }
    : args;
}
