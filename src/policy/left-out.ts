/** Tells which files a program was kept from showing. Pure. */
import { shortened } from '../lib/text/shortened.ts';

const MOST_NAMED = 5;
export const leftOutNotice = (files: readonly string[]): string => {
  const more = files.length - MOST_NAMED;
  const names = files.slice(0, MOST_NAMED).map((file) => JSON.stringify(shortened(file, 80)));
  return `(left out, since nobody has allowed to show them: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
};
