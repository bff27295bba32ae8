/** Goes on reading a result of which only a part was shown. */
import * as z from 'zod';
import { namesOf } from './aliases.ts';
import { zodSchema } from './args-schema.ts';
import type { Tool, ToolContext } from './contract.ts';
import { ok, refused } from './result.ts';
import { rowsOf } from './rows.ts';
import { targetIn } from './toolset.ts';

const Args = z.object({
  id: z.string().describe('as the cut result names it; left out: the last one').optional(),
  from: z.number().int().positive().describe('number of the first line').default(1),
});

export const readOutput: Tool<z.infer<typeof Args>> = {
  name: 'read_output',
  description: 'Read on in a result that was cut.',
  args: zodSchema(Args),
  touches: 'reads',
  settles: 'again',
  needs: { calls: true },
  readsOn: (id, from) => `read_output {"id":"${id}","from":${from}} shows them`,
  aliases: {
    names: namesOf('readresult getoutput showoutput viewoutput'),
    args: {
      id: namesOf('output_id result_id action call'),
      from: namesOf('start_line line start offset from_line'),
    },
  },
  target: targetIn('id', 'other'),
  prepare: async ({ id, from }, context) => {
    const kept = context.keptOutput?.(id) ?? null;
    if (kept === null) return refused(whyNone(id, context));
    return { kind: 'ready', files: [], perform: async () => ok(shown(kept, from, context)) };
  },
};

function whyNone(id: string | undefined, { keptOutput }: ToolContext): string {
  const last = keptOutput?.(undefined) ?? null;
  if (last === null) return 'No result of this run was cut.';
  return `There is no cut result ${JSON.stringify(id)}. The last one is ${JSON.stringify(last.id)}.`;
}

/** As many lines as fit, with what comes before and behind them said. */
function shown(
  { id, text }: NonNullable<ReturnType<NonNullable<ToolContext['keptOutput']>>>,
  from: number,
  { maxResultChars }: ToolContext,
): string {
  const rows = rowsOf(text);
  if (from > rows.length) return `[${id} has ${rows.length} lines]`;
  const lines: string[] = [];
  // The longest heading that there can be.
  let room = maxResultChars - id.length - 80;
  for (const row of rows.slice(from - 1)) {
    room -= row.length + 1;
    if (room < 0 && lines.length > 0) break;
    lines.push(row);
  }
  const to = from + lines.length - 1;
  const rest = to < rows.length ? `; from ${to + 1} it goes on` : '';
  return `[lines ${from} to ${to} of ${rows.length}, ${id}${rest}]\n${lines.join('\n')}`;
}
