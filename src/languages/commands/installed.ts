/** Which of the languages' programs are installed on this machine: determined once, when a run starts. */
import { LANGUAGES } from '../languages.ts';

export type { Installed } from '../language.ts';

/**
 * @param resolve absolute path of a program on the cleaned search path, `null` if there is none. Nothing is started
 * before the first request is sent, so a program that is found may still not work.
 */
export const lookForInstalled = (
  resolve: (program: string) => string | null,
): ReadonlySet<string> =>
  new Set(LANGUAGES.flatMap((language) => language.runs?.programs(resolve) ?? []));
