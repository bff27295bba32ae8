/** Pure: describes what commands did to files. */
import type { CommandFiles } from '../../../run/stream/changed-files.ts';
import { oneLine, plural } from '../text/text.ts';

/** Changes that no list of changed files contains: they can be neither shown nor restored by themselves. */
export function commandFilesText(files: CommandFiles): string[] {
  const line = (title: string, paths: readonly string[]): string[] =>
    paths.length === 0 ? [] : [`${title}: ${paths.map(oneLine).join(', ')}`];
  return [
    ...line('Changed by commands, not kept', files.notKept),
    ...line('Changed unobserved, by a command or somebody else', files.unseen),
    ...line('Changed while a command ran, and as before again', files.putBack),
    ...(files.more > 0 ? [`${plural(files.more, 'more file')} changed by commands`] : []),
  ];
}
