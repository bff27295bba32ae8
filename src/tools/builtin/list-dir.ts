/** Lists one folder. */
import * as z from 'zod';
import { isCache } from '../../languages/languages.ts';
import { entriesOf, isIgnored, namesIn, type WalkedEntry } from '../../workspace/walk.ts';
import { PATH_ALIASES, splitNames } from '../calls/aliases.ts';
import { zodSchema } from '../calls/args-schema.ts';
import type { Tool } from '../contract.ts';
import { locateExisting } from '../files/workspace-path.ts';
import { ok, ready, refused } from '../result.ts';
import { nameInLine } from '../search/found-rows.ts';
import { targetFromArgument } from '../toolset.ts';
import { truncateMiddle } from '../truncate.ts';

const MAX_ENTRIES = 500;

const Args = z.object({ path: z.string().describe('relative; "." is the workspace').default('.') });

const INSTEAD = 'Use the tool list_dir.';

export const listDir: Tool<z.infer<typeof Args>> = {
  name: 'list_dir',
  description: 'List a folder.',
  args: zodSchema(Args),
  touches: 'reads',
  afterCrash: 'repeat',
  does: 'lists_folders',
  constrained: { args: { path: 'path' } },
  inPlan: { target: 'path', place: 3 },
  aliases: {
    called: splitNames('fslist ls'),
    names: splitNames('ls listfiles listdirectory readdir dir'),
    args: { path: PATH_ALIASES },
  },
  replacesPrograms: { ls: INSTEAD, dir: INSTEAD, tree: INSTEAD },
  target: targetFromArgument('path', 'folder'),
  prepare: async (args, context) => {
    const place = locateExisting(context, args.path);
    if (place.kind === 'no_place') return refused(place.reason);
    if (place.info?.kind !== 'directory')
      return refused(`${place.relative} is a file; read_file shows what is in it.`);
    return ready(async () => {
      const all = namesIn(context.fs, place.absolute);
      const names = all.filter((name) => !isIgnored(name, isCache));
      const first = entriesOf(context.fs, place.absolute, names.slice(0, MAX_ENTRIES));
      const left = names.length - MAX_ENTRIES;
      return ok(truncateMiddle(describeAll([...first], left), context.maxResultChars));
    });
  },
};

function describeAll(entries: readonly WalkedEntry[], left: number): string {
  if (entries.length === 0) return '(empty)';
  const lines = entries.map(describe);
  return [...lines, ...(left > 0 ? [`... and ${left} more`] : [])].join('\n');
}

function describe(entry: WalkedEntry): string {
  const name = nameInLine(entry.path);
  switch (entry.info.kind) {
    case 'directory':
      return `${name}/`;
    case 'file':
      return `${name} (${entry.info.size} bytes)`;
    case 'symlink':
      return `${name} (link)`;
    case 'other':
      return `${name} (no regular file)`;
  }
}
