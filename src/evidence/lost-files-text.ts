/** The message about files that existed before a command and were removed or changed by it. Pure. */
import { listed } from './evidence.ts';

interface LostFiles {
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export const putBackText = (paths: readonly string[]): string =>
  paths.length === 0
    ? ''
    : `That command changed or removed ${listed(paths)}, which ${were(paths)} there before and which neither the goal nor the plan lets it touch. ${paths.length > 1 ? 'They are' : 'It is'} as before again.`;

export function formatLostFiles({ removed, changed }: LostFiles): string {
  const all = [...removed, ...changed];
  return all.length === 0
    ? ''
    : `That command ${lostFilesPhrase({ removed, changed })}, which ${were(all)} there before and which neither the goal nor the plan lets it touch. Put back what was not meant; the user is told.`;
}

/** `removed a.txt and changed b.txt` */
export const lostFilesPhrase = ({ removed, changed }: LostFiles): string =>
  [
    ...(removed.length > 0 ? [`removed ${listed(removed)}`] : []),
    ...(changed.length > 0 ? [`changed ${listed(changed)}`] : []),
  ].join(' and ');

const were = (paths: readonly string[]): string => (paths.length > 1 ? 'were' : 'was');
