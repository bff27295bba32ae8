/** Shortens a text from outside so that it fits into a sentence. Pure. */
export const shortened = (text: string, most = 100): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;

/** Removes trailing line ends, examining each character once. */
export function withoutEndingLines(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

/** `a, b and 3 more` */
export function firstOf(names: readonly string[], most: number, joint = ' and '): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? `${joint}${more} more` : ''}`;
}
