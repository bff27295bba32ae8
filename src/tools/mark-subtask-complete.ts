/** The one way a subtask ends. It changes nothing itself: the engine acts on it. */
import { z } from 'zod';
import type { Tool } from './contract.ts';
import { ok } from './result.ts';

const Args = z.object({
  success: z.boolean(),
  reason: z.string().optional(),
  answer: z.string().describe('the result, where the goal asks for text').optional(),
});

export const markSubtaskComplete: Tool<typeof Args> = {
  name: 'mark_subtask_complete',
  description: 'End the active subtask: success true when it is done, false when it cannot be.',
  class: 'control',
  args: Args,
  prepare: async ({ success, reason }) => ({
    kind: 'ready',
    files: [],
    // What was said against a subtask is why the plan is looked at again.
    perform: async () =>
      ok(success ? JSON.stringify({ status: 'subtask_complete' }) : (reason ?? '')),
  }),
};
