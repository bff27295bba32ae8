/** Finds files by name. */
import * as z from 'zod';
import type { ToolResult } from '../../schema/actions.ts';
import { ignoredIn } from '../../workspace/git-ignored.ts';
import { PATH_ALIASES, splitNames } from '../calls/aliases.ts';
import { zodSchema } from '../calls/args-schema.ts';
import type { PerformHooks, Tool, ToolContext } from '../contract.ts';
import { filesBelow, PassedOver } from '../files/files-below.ts';
import { type LocatedPath, locateExisting } from '../files/workspace-path.ts';
import { failed, ok, ready, refused } from '../result.ts';
import { nameInLine } from '../search/found-rows.ts';
import { globMatcher, tooManyChoices } from '../search/glob.ts';
import { targetFromArgument } from '../toolset.ts';
import { truncateMiddle } from '../truncate.ts';

const MAX_PATTERN = 500;
const MAX_SHOWN = 300;

const Args = z.object({
  pattern: z.string().min(1).max(MAX_PATTERN).describe('a glob, as in docs/**/*.{md,txt}'),
  path: z.string().describe('a folder; "." is the workspace').default('.'),
});
type Args = z.infer<typeof Args>;

export const findFiles: Tool<Args> = {
  name: 'find_files',
  description: 'Find files by name; ignored ones are left out.',
  args: zodSchema(Args),
  touches: 'reads',
  afterCrash: 'repeat',
  needs: { calls: true, room: true },
  aliases: {
    called: splitNames('find glob'),
    names: splitNames('glob filesearch globsearch findfilesbyname searchfilesbyname'),
    args: { path: PATH_ALIASES, pattern: splitNames('glob glob_pattern name query include') },
  },
  replacesPrograms: { find: 'Use the tool find_files.' },
  target: targetFromArgument('pattern', 'other'),
  reaches: ({ path }) => [{ does: 'read', path: typeof path === 'string' ? path : '.' }],
  prepare: async (args, context) => {
    const place = locateExisting(context, args.path);
    if (place.kind === 'no_place') return refused(place.reason);
    const many = tooManyChoices(args.pattern);
    if (many !== null) return refused(many);
    if (place.info?.kind !== 'directory') return refused(`${place.relative} is a file.`);
    return ready((hooks) => find(args, place, context, hooks));
  },
};

async function find(
  { pattern }: Args,
  place: LocatedPath,
  context: ToolContext,
  { signal }: PerformHooks,
): Promise<ToolResult> {
  const matches = globMatcher(pattern);
  const prefix = place.relative === '.' ? '' : `${place.relative}/`;
  const isWanted = (path: string): boolean => matches(path.slice(prefix.length)) || matches(path);
  const passed = new PassedOver(isWanted);
  const found: string[] = [];
  let looked = 0;
  for (const file of filesBelow(place, context, ignoredIn(context.fs, context.workspace), passed)) {
    if (file === null) await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return failed('Cancelled.', 'cancelled');
    if (file === null) continue;
    looked += 1;
    const { path } = file;
    if (isWanted(path)) found.push(path);
  }
  const notes = passed.notes.map((note) => `[${note}]`);
  if (found.length > 0) {
    const shown = found.slice(0, MAX_SHOWN).map(nameInLine);
    const left = found.length - shown.length;
    const more = left > 0 ? [`... and ${left} more`] : [];
    return ok(truncateMiddle([...shown, ...more, ...notes].join('\n'), context.maxResultChars));
  }
  const where = place.relative === '.' ? 'the workspace' : place.relative;
  const ignored =
    passed.ignored > 0 ? [`[ignored by .gitignore: ${passed.ignored} files or folders]`] : [];
  const nothing = `No file in ${where} is named ${pattern} (files looked at: ${looked}).`;
  return ok([nothing, ...ignored, ...notes].join('\n'));
}
