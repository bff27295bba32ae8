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
  prepare: async ({ success }) => ({
    kind: 'ready',
    files: [],
    perform: async () =>
      ok(JSON.stringify({ status: success ? 'subtask_complete' : 'subtask_failed' })),
  }),
};
