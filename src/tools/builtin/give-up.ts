/** Ends a goal that cannot be reached. The tool itself changes nothing: the engine acts on it. */
import * as z from 'zod';
import { defined } from '../../lib/defined.ts';
import { shortened } from '../../lib/text/shortened.ts';
import type { GivenUp } from '../../schema/actions.ts';
import { splitNames } from '../calls/aliases.ts';
import { zodSchema } from '../calls/args-schema.ts';
import type { Tool } from '../contract.ts';
import { ok, ready } from '../result.ts';

const Args = z.object({
  reason: z.string().min(1),
  needs: z.string().describe('what a person has to give, allow or do').optional(),
  commands: z.array(z.string()).describe('command lines that need a yes').optional(),
});

const MAX_WORDS = 600;

export const giveUp: Tool<z.infer<typeof Args>> = {
  name: 'give_up',
  description: 'End the run without reaching the goal, when nothing you can do here reaches it.',
  args: zodSchema(Args),
  touches: 'nothing',
  afterCrash: 'repeat',
  needs: { calls: true },
  does: 'gives_up',
  aliases: {
    names: splitNames('abort fail cannotdo impossible'),
    args: { reason: ['why', 'message'], needs: ['need', 'missing', 'required'] },
  },
  foresees: ({ commands = [] }) => commands,
  prepare: async (args) =>
    ready(async () => ok('Noted: the run ends here.', { givesUp: abandonment(args) })),
};

const abandonment = ({ reason, needs }: z.infer<typeof Args>): GivenUp => ({
  reason: shortened(reason.trim(), MAX_WORDS),
  ...defined({ needs: needs?.trim() ? shortened(needs.trim(), MAX_WORDS) : undefined }),
});
