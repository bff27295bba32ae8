/** A test may read the text of a file: what it was stays in a comment at the end. Pure. */
export const withComment = (altered: string, text: string): string =>
  `${altered}\n/*\n${text.replaceAll('*/', '* /')}\n*/\n`;
