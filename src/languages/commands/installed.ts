/** What of the languages' programs is installed on this machine: found once, when a run starts. */
import { LANGUAGES } from '../languages.ts';

export type { Installed } from '../language.ts';

/**
 * @param resolve absolute path of a program on the cleaned search path, `null` where there is none.
 *   Nothing is started before the first question is sent: a program that is there may not work.
 */
export const lookForInstalled = (
  resolve: (program: string) => string | null,
): ReadonlySet<string> =>
  new Set(LANGUAGES.flatMap((language) => language.runs?.programs(resolve) ?? []));
