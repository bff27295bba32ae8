/** A text that came from outside, as far as a sentence can hold it. Pure. */
export const shortened = (text: string, most = 100): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;

/** The text without the line ends behind it; each of its characters is looked at once. */
export function withoutEndingLines(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}
