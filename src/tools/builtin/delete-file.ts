/** Removes a file or an empty folder; its content is kept for an undo. */
import * as z from 'zod';
import type { FileChange, ToolResult } from '../../schema/actions.ts';
import { PATH_ALIASES, splitNames } from '../calls/aliases.ts';
import { zodSchema } from '../calls/args-schema.ts';
import type { Tool } from '../contract.ts';
import { changeFacts, prepareChanges } from '../files/change-files.ts';
import { planRemoval } from '../files/removal.ts';
import { ok, refused } from '../result.ts';
import { targetFromArgument } from '../toolset.ts';

const Args = z.object({ path: z.string().describe('a file or an empty folder') });
type Args = z.infer<typeof Args>;

const INSTEAD = 'Use the tool delete_file.';

export const deleteFile: Tool<Args> = {
  name: 'delete_file',
  description: 'Delete a file.',
  args: zodSchema(Args),
  touches: 'files',
  afterCrash: 'compare_files',
  needs: { calls: true, room: true },
  does: 'rearranges_files',
  aliases: {
    names: splitNames('rm remove removefile unlink deletepath'),
    args: { path: PATH_ALIASES },
  },
  replacesPrograms: { rm: INSTEAD, del: INSTEAD, rmdir: INSTEAD, rd: INSTEAD },
  target: targetFromArgument('path', 'file'),
  reaches: ({ path }) =>
    typeof path === 'string'
      ? [
          { does: 'edit', path },
          { does: 'remove', path },
        ]
      : [],
  prepare: async ({ path }, context) => {
    const removal = planRemoval(context, path);
    if ('status' in removal) return refused(removal.reason, removal.status);
    return prepareChanges(context, [removal], (files) => done({ path }, files));
  },
  done,
};

function done({ path }: Args, files: readonly FileChange[]): ToolResult {
  const [removed] = files;
  const what = removed?.folder === undefined ? '' : 'the empty folder ';
  return ok(`Deleted ${what}${removed?.path ?? path}`, changeFacts(files));
}
