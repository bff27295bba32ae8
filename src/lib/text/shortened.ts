/** Shortens a text from outside so that it fits into a sentence. Pure. */
export const shortened = (text: string, most = 100): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;

/** Removes trailing line ends, examining each character once. */
export function withoutEndingLines(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}
