/** Text in which nothing is hidden or reordered: such characters are shown as code points. Pure. */

const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** For the words of a call, where an invisible character can change what is done. */
export const withHiddenShown = (text: string): string =>
  text.replace(HIDDEN, (hidden) => (hidden === '\n' || hidden === '\t' ? hidden : escaped(hidden)));

/** For the lines of a file: joiners stay, which letters of some scripts and emoji need. */
export const visibleLine = (line: string): string =>
  line.replace(HIDDEN, (hidden) => (/[\t\u200c\u200d]/.test(hidden) ? hidden : escaped(hidden)));

/** Marks that only say how letters join or where a word may break, and those that turn a single word around. */
const REORDERING = /(?![\u00ad\u200c-\u200f])\p{Cf}|[\u2028\u2029]/gu;

/** For prose and output: what may reorder or hide other words is shown, and the rest stays. */
export const readable = (text: string): string => text.replace(REORDERING, escaped);

const escaped = (hidden: string): string =>
  hidden === '\r' ? '\\r' : `\\u{${hidden.codePointAt(0)?.toString(16) ?? ''}}`;
