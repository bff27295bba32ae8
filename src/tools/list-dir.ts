/** Shows one folder. */
import * as z from 'zod';
import { isCache } from '../languages/languages.ts';
import { inLine, jsonText } from '../lib/plain-text.ts';
import { type Entry, entriesOf, isIgnored } from '../workspace/walk.ts';
import { namesOf, PATH_ALIASES } from './aliases.ts';
import { zodSchema } from './args-schema.ts';
import type { Tool } from './contract.ts';
import { ok, refused } from './result.ts';
import { targetIn } from './toolset.ts';
import { truncateMiddle } from './truncate.ts';
import { locate, missing } from './workspace-path.ts';

const MAX_ENTRIES = 500;

const Args = z.object({ path: z.string().describe('relative; "." is the workspace').default('.') });

const INSTEAD = 'Use the tool list_dir.';

export const listDir: Tool<z.infer<typeof Args>> = {
  name: 'list_dir',
  description: 'List a folder.',
  args: zodSchema(Args),
  touches: 'reads',
  settles: 'again',
  does: 'lists_folders',
  inPlan: { target: 'path' },
  aliases: {
    names: namesOf('ls listfiles listdirectory readdir dir'),
    args: { path: PATH_ALIASES },
  },
  insteadOf: { ls: INSTEAD, dir: INSTEAD, tree: INSTEAD },
  target: targetIn('path', 'folder'),
  prepare: async (args, context) => {
    const place = locate(context, args.path === '' ? '.' : args.path, false);
    if (place.kind === 'no_place') return refused(place.reason);
    if (place.info === null) return refused(missing(context, place.relative));
    if (place.info.kind !== 'directory') {
      return refused(`${place.relative} is a file; read_file shows what is in it.`);
    }
    return {
      kind: 'ready',
      files: [],
      perform: async () => {
        const entries = entriesOf(context.fs, place.absolute);
        const shown = entries.filter((entry) => !isIgnored(entry.path, isCache));
        return ok(truncateMiddle(describeAll(shown), context.maxResultChars));
      },
    };
  },
};

function describeAll(entries: readonly Entry[]): string {
  if (entries.length === 0) return '(empty)';
  const lines = entries.slice(0, MAX_ENTRIES).map(describe);
  const left = entries.length - lines.length;
  return [...lines, ...(left > 0 ? [`... and ${left} more`] : [])].join('\n');
}

function describe(entry: Entry): string {
  // A name must not end its line, or read as another.
  const name = inLine(entry.path) === entry.path ? entry.path : jsonText(entry.path);
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
