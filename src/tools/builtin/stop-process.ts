/** Ends a program that was started in the background. */
import * as z from 'zod';
import { splitNames } from '../calls/aliases.ts';
import { zodSchema } from '../calls/args-schema.ts';
import { exitWords } from '../commands/background.ts';
import type { Tool } from '../contract.ts';
import { ok, ready, refused } from '../result.ts';
import { searchRows } from '../search/rows.ts';
import { targetFromArgument } from '../toolset.ts';

const Args = z.object({ id: z.string() });

/** How many of its last lines are shown. */
const ROWS = 20;

export const stopProcess: Tool<z.infer<typeof Args>> = {
  name: 'stop_process',
  description: 'End a program in the background.',
  args: zodSchema(Args),
  touches: 'nothing',
  // The next start ends what a crash left, so there is no outcome to settle.
  afterCrash: 'repeat',
  needs: { calls: true, room: true, background: true },
  aliases: {
    called: splitNames('killshell killbash'),
    names: splitNames('kill killprocess stop terminate endprocess'),
    args: { id: splitNames('process_id pid bash_id shell_id process name') },
  },
  target: targetFromArgument('id', 'other'),
  prepare: async ({ id }, { background, maxResultChars }) => {
    if (background === undefined) return refused('Nothing runs in the background here.');
    if (!background.has(id)) return refused(background.whyNone(id));
    return ready(async () => {
      const seen = await background.stop(id);
      if (seen === null) return ok(background.whyNone(id));
      const last = searchRows(seen.text.trimEnd())
        .slice(-ROWS)
        .join('\n')
        .slice(-maxResultChars / 2);
      const isCut = seen.exit?.exitCode == null && seen.exit?.putAside === undefined;
      const how = isCut || seen.exit === null ? 'was ended' : exitWords(seen.exit);
      return ok(`${id} ${how}, with everything it had started.${last === '' ? '' : `\n${last}`}`);
    });
  },
};
