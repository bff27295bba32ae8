/** The message about files that existed before a command and were removed or changed while it ran. Pure. */
import { listed } from './evidence.ts';
import type { Losses } from './users-files.ts';

export const putBackText = (lost: Losses): string =>
  sentence(lost, ` ${isOne(lost) ? 'It is' : 'They are'} as before again.`);

/** For the model. */
export const toPutBackText = (lost: Losses): string =>
  sentence(lost, ' Put back what was not meant; the user is told.');

/** For the person. */
export const lostFilesText = (lost: Losses): string => sentence(lost, '');

const sentence = (lost: Losses, rest: string): string =>
  isNone(lost) ? '' : `W${lostFilesPhrase(lost).slice(1)}.${rest}`;

/** `while a command ran, a.txt was removed: …`; somebody else may have done it. */
export function lostFilesPhrase(lost: Losses): string {
  const { removed, changed } = lost;
  const parts = [...wasText(removed, 'removed'), ...wasText(changed, 'changed')].join(' and ');
  return `while a command ran, ${parts}, which neither the goal nor the plan lets it touch`;
}

const wasText = (paths: readonly string[], how: string): string[] =>
  paths.length === 0 ? [] : [`${listed(paths)} ${paths.length > 1 ? 'were' : 'was'} ${how}`];

const isNone = ({ removed, changed }: Losses): boolean => removed.length + changed.length === 0;

const isOne = ({ removed, changed }: Losses): boolean => removed.length + changed.length === 1;
