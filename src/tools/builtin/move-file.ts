/** Moves or renames a file or an empty folder, never onto an existing one. */
import * as z from 'zod';
import type { FileChange, ToolResult } from '../../schema/actions.ts';
import { PATH_ALIASES, splitNames } from '../calls/aliases.ts';
import { zodSchema } from '../calls/args-schema.ts';
import type { Reach, Tool, ToolContext } from '../contract.ts';
import { changeFacts, prepareChanges, type WantedChange } from '../files/change-files.ts';
import { planRemoval } from '../files/removal.ts';
import { type LocatedPath, locatePath } from '../files/workspace-path.ts';
import { ok, refused } from '../result.ts';
import { targetFromArgument } from '../toolset.ts';

const Args = z.object({
  path: z.string().describe('a file or an empty folder'),
  to: z.string().describe('its new path; nothing may be there'),
});
type Args = z.infer<typeof Args>;

const INSTEAD = 'Use the tool move_file.';

export const moveFile: Tool<Args> = {
  name: 'move_file',
  description: 'Move or rename a file.',
  args: zodSchema(Args),
  touches: 'files',
  afterCrash: 'compare_files',
  needs: { calls: true, room: true },
  does: 'rearranges_files',
  aliases: {
    names: splitNames('mv rename renamefile movepath'),
    args: {
      path: [...PATH_ALIASES, ...splitNames('from source src old_path source_path')],
      to: splitNames('destination dest target new_path destination_path'),
    },
  },
  replacesPrograms: { mv: INSTEAD, move: INSTEAD, ren: INSTEAD },
  target: targetFromArgument('path', 'file'),
  // A rule that protects the old name does not protect the new one, so moving also reads.
  reaches: ({ path, to }) => [
    ...(typeof path === 'string' ? [{ does: 'read', path } as const] : []),
    ...[path, to].flatMap((one): Reach[] =>
      typeof one === 'string' ? [{ does: 'edit', path: one }] : [],
    ),
  ],
  prepare: async (args, context) => {
    const removal = planRemoval(context, args.path);
    if ('status' in removal) return refused(removal.reason, removal.status);
    const place = freePlace(context, args.to, removal.place);
    if (typeof place === 'string') return refused(place);
    return prepareChanges(context, [arrivalOf(removal, place), removal], (files) =>
      done(args, files),
    );
  },
  done,
};

/** The destination, or a message why the move is not possible. */
function freePlace(context: ToolContext, to: string, from: LocatedPath): LocatedPath | string {
  const place = locatePath(context, to, true);
  if (place.kind === 'no_place') return place.reason;
  if (place.relative === from.relative)
    return to === from.relative
      ? `${to} is where it is already.`
      : `${to} and ${from.relative} are one name on this disk. Move it to another name first, and then to this one.`;
  if (place.info?.kind === 'directory')
    return `${place.relative} is a folder; name the new path with the file's name.`;
  if (place.info !== null)
    return `${place.relative} exists already; nothing is replaced by a move.`;
  return place.relative.startsWith(`${from.relative}/`)
    ? `${place.relative} lies in what is to be moved.`
    : place;
}

function arrivalOf(
  { place: from, before, folder }: WantedChange,
  place: LocatedPath,
): WantedChange {
  if (folder !== undefined) return { place, before: null, after: null, folder: 'made' };
  const mode = from.info?.mode;
  return { place, before: null, after: before, modeAfter: mode, from: from.relative };
}

function done({ path, to }: Args, files: readonly FileChange[]): ToolResult {
  const [arrived, left] = files;
  return ok(`Moved ${left?.path ?? path} to ${arrived?.path ?? to}`, changeFacts(files));
}
