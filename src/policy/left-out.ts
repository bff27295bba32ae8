/** Tells which files a program was kept from showing. Pure. */
import { firstOf, shortened } from '../lib/text/shortened.ts';

export const leftOutNotice = (files: readonly string[]): string => {
  const names = files.map((file) => JSON.stringify(shortened(file, 80)));
  return `(left out, since nobody has allowed to show them: ${firstOf(names, 5)})`;
};
