/** Messages for people about files that are not kept. */
import { firstOf } from '../../lib/text/shortened.ts';
import type { LeftWhy, SkippedFiles } from '../../schema/journal/before-images.ts';
import { BEFORE_IMAGE_LIMITS } from './take.ts';

const MB = 1024 * 1024;

const WORDS: { readonly [why in LeftWhy]: (count: number) => string } = {
  large: (count) => `${count} larger than ${BEFORE_IMAGE_LIMITS.fileBytes / MB} MB`,
  full: (count) => `${count} beyond ${BEFORE_IMAGE_LIMITS.totalBytes / MB} MB in all`,
  unreadable: (count) => `${count} that cannot be read`,
  name: (count) => `${count} with a name that other systems do not allow`,
  too_many: (count) => `${count} ${count === 1 ? 'folder' : 'folders'} with too many files`,
};

const NAMED = 5;

/** After a crash: what differs, and that the cause is unknown. */
export const unseenText = (paths: readonly string[]): string =>
  `Changed while nobody watched, by its command or by somebody else: ${named(paths)}. ${LEFT_ALONE}`;

/** The warning about files that somebody else changes between commands. */
export const sharedText = (paths: readonly string[]): string =>
  `Somebody else writes ${named(paths)} during this run, so nobody can tell what commands change there. ${LEFT_ALONE}`;

const LEFT_ALONE = 'An undo leaves these alone and says where their former contents are.';

const named = (paths: readonly string[]): string =>
  firstOf(
    paths.map((path) => JSON.stringify(path)),
    NAMED,
  );

export function skippedFilesText({ count, why, names }: SkippedFiles): string {
  const reasons = Object.entries(why).map(([one, of]) => WORDS[one as LeftWhy](of));
  const shown = names.map((name) => JSON.stringify(name)).join(', ');
  const more = count > names.length ? ', …' : '';
  return (
    'What commands change in these files cannot be undone, as they are not kept: ' +
    `${reasons.join(', ')} (${shown}${more}).`
  );
}
