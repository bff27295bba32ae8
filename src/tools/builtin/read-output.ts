/** Continues reading a result of which only a part was shown. */
import * as z from 'zod';
import { splitNames } from '../calls/aliases.ts';
import { zodSchema } from '../calls/args-schema.ts';
import { type BackgroundSeen, backgroundLine } from '../commands/background.ts';
import type { Tool, ToolContext } from '../contract.ts';
import { failed, ok, ready, refused } from '../result.ts';
import { searchRows } from '../search/rows.ts';
import { targetFromArgument } from '../toolset.ts';

const MAX_WAIT_SEC = 600;

const Args = z.object({
  id: z.string().describe('as the result names it; left out: the last one').optional(),
  from: z.number().int().positive().describe('number of the first line').optional(),
  wait_sec: z
    .number()
    .positive()
    .max(MAX_WAIT_SEC)
    .describe('for more, in the background')
    .optional(),
});

export const readOutput: Tool<z.infer<typeof Args>> = {
  name: 'read_output',
  description: 'Read on in a result that was cut, or in the background.',
  args: zodSchema(Args),
  touches: 'reads',
  afterCrash: 'repeat',
  needs: { calls: true },
  alone: { leftOut: ['wait_sec'], description: 'Read on in a result that was cut.' },
  readsOn: (id, from) => `read_output {"id":"${id}","from":${from}} shows them`,
  aliases: {
    called: splitNames('bashoutput'),
    names: splitNames('readresult getoutput showoutput viewoutput'),
    args: {
      wait_sec: splitNames('wait timeout timeout_sec wait_seconds'),
      id: splitNames('output_id result_id action call bash_id shell_id process_id'),
      from: splitNames('start_line line start offset from_line'),
    },
  },
  target: targetFromArgument('id', 'other'),
  prepare: async (args, context) => {
    const { from, wait_sec = 0 } = args;
    const { background } = context;
    const id = args.id ?? backgroundFor(args, context);
    if (id === undefined && args.wait_sec !== undefined && background?.ids().length)
      return refused(nameOne(background.ids()));
    if (id !== undefined && background?.has(id))
      return ready(async ({ signal }) => {
        await background.wait(id, { ms: wait_sec * 1000, until: 'prints', signal });
        const seen = background.see(id);
        return seen === null ? failed(whyNone(id, context)) : ok(live(seen, from, context));
      });
    const kept = context.storedOutput?.(id) ?? null;
    if (kept === null) return refused(whyNone(id, context));
    return ready(async () => ok(formatLines(kept, from ?? 1, context)));
  },
};

/** Without an id, waiting or giving no line number means the background program. */
function backgroundFor(
  { from, wait_sec }: z.infer<typeof Args>,
  { background, storedOutput }: ToolContext,
): string | undefined {
  const ids = background?.ids() ?? [];
  const isCut = from !== undefined && (storedOutput?.(undefined) ?? null) !== null;
  return ids.length === 1 && (wait_sec !== undefined || !isCut) ? ids[0] : undefined;
}

/** Without a line number: the last lines. */
function live(seen: BackgroundSeen, from: number | undefined, context: ToolContext): string {
  const text = seen.text.trimEnd();
  const rows = text === '' ? [] : searchRows(text);
  const first = from ?? lastThatFit(rows, context.maxResultChars - 200);
  const shown =
    rows.length === 0
      ? '(it has printed nothing yet)'
      : first > rows.length
        ? `[nothing behind line ${rows.length} yet]`
        : formatLines({ id: seen.id, text }, first, context);
  return `${backgroundLine(seen)}\n${shown}`;
}

function lastThatFit(rows: readonly string[], room: number): number {
  let left = room;
  let first = rows.length;
  for (; first > 1; first -= 1) {
    left -= (rows[first - 1] ?? '').length + 1;
    if (left < (rows[first - 2] ?? '').length) break;
  }
  return first;
}

function whyNone(id: string | undefined, { storedOutput, background }: ToolContext): string {
  if (id !== undefined && /^bg\d+$/.test(id) && background) return background.whyNone(id);
  const last = storedOutput?.(undefined) ?? null;
  const ids = background?.ids() ?? [];
  if (last === null)
    return ids.length === 0
      ? 'No result of this run was cut.'
      : `No result of this run was cut. ${nameOne(ids)}`;
  return `There is no cut result ${JSON.stringify(id)}. The last one is ${JSON.stringify(last.id)}.`;
}

const nameOne = (ids: readonly string[]): string =>
  `In the background run ${ids.join(', ')}: name one.`;

/** As many lines as fit, with the numbers of lines before and after them. */
function formatLines(
  { id, text }: NonNullable<ReturnType<NonNullable<ToolContext['storedOutput']>>>,
  from: number,
  { maxResultChars }: ToolContext,
): string {
  const rows = searchRows(text);
  if (from > rows.length) return `[${id} has ${rows.length} lines]`;
  const lines: string[] = [];
  // Room for the longest possible heading.
  let room = maxResultChars - id.length - 200;
  for (const row of rows.slice(from - 1)) {
    room -= row.length + 1;
    if (room < 0 && lines.length > 0) break;
    lines.push(row);
  }
  const to = from + lines.length - 1;
  const rest = to < rows.length ? `; from ${to + 1} it goes on` : '';
  return `[lines ${from} to ${to} of ${rows.length}, ${id}${rest}]\n${lines.join('\n')}`;
}
