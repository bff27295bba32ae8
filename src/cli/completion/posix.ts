/** Pure: what scripts for bash and zsh share. */

/** One word, whatever is in it. */
export const posixQuoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Any of these words, as a pattern of `case`. */
export const caseOf = (words: readonly string[]): string => words.map(posixQuoted).join('|');
