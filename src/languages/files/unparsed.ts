/** Pure: true for a problem that means that the file's own checker could not parse it. */
export const isUnparsed = (problem: string): boolean =>
  /(?:^|: )does not parse, |(?:^|: )is not valid JSON, /.test(problem);
