/** Pure: what commands did to files, for a person. */
import type { CommandFiles } from '../../../run/stream/changed-files.ts';
import { oneLine, plural } from '../text/text.ts';

/** What no list of changed files has: of these nothing can be shown or put back by itself. */
export function commandFilesText(files: CommandFiles): string[] {
  const line = (title: string, paths: readonly string[]): string[] =>
    paths.length === 0 ? [] : [`${title}: ${paths.map(oneLine).join(', ')}`];
  return [
    ...line('Changed by commands, not kept', files.notKept),
    ...line('Changed unobserved, by a command or somebody else', files.unseen),
    ...(files.more > 0 ? [`${plural(files.more, 'more file')} changed by commands`] : []),
  ];
}
