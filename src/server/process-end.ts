import type { ProcessEnd } from './place.ts';

/**
 * Why a process ended too early, in words, with what it printed. Pure.
 * @param said the last of its error output, without secrets
 * @param what had not come about, as in `began`
 */
export function earlyEndWords(
  { code, signal, error }: ProcessEnd,
  said: string,
  what: string,
): string {
  if (error !== undefined) return `Its process could not be started: ${error.message}.`;
  // The process's own words are better than a number.
  if (signal === null && said.trim() !== '') return said;
  const how =
    signal !== null ? `was ended by ${signal}` : code ? `ended with exit code ${code}` : 'ended';
  return `Its process ${how} before it ${what}. ${said}`.trim();
}

/** The end of a process that nobody saw. */
export const UNSEEN: ProcessEnd = { code: null, signal: null };
