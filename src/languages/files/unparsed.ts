/** True for a problem by which the checker of a file's own language says that it cannot be read. Pure. */
export const isUnparsed = (problem: string): boolean =>
  /(?:^|: )does not parse, |(?:^|: )is not valid JSON, /.test(problem);
